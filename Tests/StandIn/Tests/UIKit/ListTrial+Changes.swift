#if canImport(UIKit)
  import RowOperationsTesting
  import UIKit

  @testable import RowOperations

  /// The changes that a trial draws.
  extension ListTrial {
    func change() -> String {
      let changes: [(String, () -> Void)] = [
        ("jump", jump), ("drag", drag), ("fling", fling), ("animated jump", animate),
        ("rows", changeRows), ("reload", reload), ("resize", resize), ("leave", leave),
        ("hide", hide), ("background", background), ("reorder", reorder), ("drop", drop),
        ("memory", memory), ("scroll inside", scrollInside), ("suspend", suspend),
        ("remove", remove), ("renders lay out", renderWithLayout), ("forward", forward),
        ("push or pop", pushOrPop), ("come or go", comeOrGo), ("scroll around", scrollAround),
        ("scroll around", scrollAround), ("place", place), ("hide window", hideWindow),
        ("rename", rename), ("pause", pause),
      ]
      current = Int.random(in: 0..<lists.count, using: &dice)
      let (name, change) = changes[Int.random(in: 0..<changes.count, using: &dice)]
      change()
      return lists.count > 1 ? "\(name) \(current)" : name
    }

    private func random(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &dice)
    }

    private var height: Double { Double(list.view.contentSize.height) }

    private func jump() {
      list.view.scroll(to: CGPoint(x: 0, y: random(0...max(height, 1))), animated: false)
    }

    private func animate() {
      list.view.scroll(to: CGPoint(x: 0, y: random(0...max(height, 1))), animated: true)
    }

    private func drag() {
      list.view.beginDrag()
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        list.view.drag(by: CGPoint(x: 0, y: random(-60...60)))
        MainLoop.frame()
      }
      list.view.endDrag(velocity: .zero)
      list.view.scroll(to: list.view.contentOffset, animated: false)
    }

    private func fling() {
      list.view.beginDrag()
      list.view.drag(by: CGPoint(x: 0, y: 5))
      MainLoop.frame()
      list.view.endDrag(velocity: CGPoint(x: 0, y: random(-4...4)))
      for _ in 0..<Int.random(in: 0...40, using: &dice) { MainLoop.frame() }
      if dice.chance(0.3) { list.view.catchIt() }
    }

    private func path() -> IndexPath? {
      let sections = list.model.indices.filter { !list.model[$0].isEmpty }
      guard let section = sections.randomElement(using: &dice) else { return nil }
      return [section, Int.random(in: 0..<list.model[section].count, using: &dice)]
    }

    /// A path on screen, if there is one.
    private func visiblePath() -> IndexPath? {
      // A list in no window has cells from before its last changes.
      guard list.view.window?.isHidden == false else { return nil }
      return list.view.cellsOnScreen.keys.sorted().randomElement(using: &dice)
    }

    private func changeRows() {
      guard let path = dice.chance(0.7) ? visiblePath() : path(), list.view.dropPlaceholder == nil
      else { return }
      guard list.view.window != nil else { return reload() }
      list.view.update {
        switch Int.random(in: 0..<4, using: &dice) {
        case 0:
          list.model[path[0]].insert(list.nextID, at: path[1])
          list.nextID += 1
          list.view.insert([path])
        case 1:
          list.model[path[0]].remove(at: path[1])
          list.view.delete([path])
        case 2:
          list.model[path[0]][path[1]] = list.nextID
          list.nextID += 1
          list.view.reload([path])
        default:
          let target: IndexPath = [
            path[0], Int.random(in: 0..<list.model[path[0]].count, using: &dice),
          ]
          let id = list.model[path[0]].remove(at: path[1])
          list.model[path[0]].insert(id, at: target[1])
          list.view.move(path, to: target)
        }
      }
    }

    private func reload() {
      guard list.view.dropPlaceholder == nil else { return }
      for section in list.model.indices {
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: list.model[section].shuffle(using: &dice)
        case 1: list.model[section].removeLast(list.model[section].count / 2)
        case 2:
          list.model[section] += Array(list.nextID..<list.nextID + 5)
          list.nextID += 5
        default: break
        }
      }
      list.view.reloadData()
      // The app reports changes of rows that are off screen.
      list.tracking?.dataChanged()
    }

    private func resize() { list.view.frame.size.height = random(100...600) }

    /// The list goes to another window, or comes back after a change of its rows.
    private func leave() {
      list.frame.removeFromSuperview()
      MainLoop.turn()
      if dice.chance(0.5) { reload() }
      if dice.chance(0.5) { moveToOtherScene() }
      window.addSubview(list.frame)
    }

    private func moveToOtherScene() {
      let new = UIWindow(frame: window.frame)
      new.windowScene = UIApplication.shared.connectScene()
      new.isHidden = false
      for other in lists where other.frame.superview === window { new.addSubview(other.frame) }
      if let old = window.windowScene {
        if dice.chance(0.5) { UIApplication.shared.enterBackground(old) }
        UIApplication.shared.disconnect(old)
      }
      window = new
    }

    /// Another screen is pushed over the list, or popped.
    ///
    /// In the meantime the lists change.
    private func pushOrPop() {
      if list.frame.superview == nil {
        window.addSubview(list.frame)
      } else {
        list.frame.removeFromSuperview()
      }
    }

    /// One of several lists ends, or another one takes its place.
    private func comeOrGo() {
      guard kinds.count > 1 else { return }
      guard lists.count == kinds.count else { return add(list.kind) }
      if dice.chance(0.5) { list.stop() }
      list.frame.removeFromSuperview()
      lists.remove(at: current)
      current = 0
    }

    private func hide() {
      let view = dice.chance(0.5) ? list.view : list.frame
      view.isHidden.toggle()
      if dice.chance(0.5) {
        MainLoop.turn()
        view.isHidden.toggle()
      }
    }

    private func background() {
      guard let scene = window.windowScene else { return }
      if scene.activationState == .background {
        UIApplication.shared.enterForeground(scene)
      } else {
        UIApplication.shared.enterBackground(scene)
        MainLoop.turn()
        if dice.chance(0.7) { UIApplication.shared.enterForeground(scene) }
      }
    }

    /// A scroll view around the list scrolls, at once or by hand.
    private func scrollAround() {
      guard let scroll = list.surroundings.randomElement(using: &dice) else { return place() }
      if dice.chance(0.3) {
        scroll.beginDrag()
        scroll.drag(by: CGPoint(x: 0, y: random(-50...50)))
        MainLoop.frame()
        scroll.endDrag(velocity: CGPoint(x: 0, y: random(-3...3)))
      } else {
        let x = dice.chance(0.5) ? 0 : dice.chance(0.5) ? 320 : random(0...340)
        scroll.contentOffset = CGPoint(x: x, y: dice.chance(0.3) ? 0 : random(0...1_200))
      }
    }

    /// The list, or a drawer with it, moves and changes its size.
    private func place() {
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: list.frame.frame.origin.y = dice.chance(0.5) ? 0 : CGFloat(random(-700...700))
      case 1: list.view.frame.origin.y = dice.chance(0.5) ? 0 : CGFloat(random(-100...700))
      case 2: list.frame.clipsToBounds.toggle()
      default: list.view.frame.size.height = dice.chance(0.3) ? 0 : CGFloat(random(0...2_000))
      }
    }

    private func hideWindow() { window.isHidden.toggle() }

    private func reorder() {
      list.view.isReordering = true
      list.view.scroll(to: CGPoint(x: 0, y: random(0...max(height, 1))), animated: false)
      MainLoop.turn()
      if dice.chance(0.6) { list.view.isReordering = false }
    }

    private func drop() {
      if list.view.dropPlaceholder != nil {
        list.view.dropPlaceholder = nil
        list.view.reloadData()
      } else if let path = visiblePath() {
        list.view.dropPlaceholder = path
        list.view.reloadData()
      }
    }

    private func memory() {
      server.forget()
      UIApplication.shared.sendMemoryWarning()
    }

    private func scrollInside() {
      if let collection = list.view as? UICollectionView {
        collection.innerScrolls[0]?.scroll(
          to: CGPoint(x: random(0...2_000), y: 0), animated: dice.chance(0.5))
      } else {
        list.strip.scroll(to: CGPoint(x: random(0...1_000), y: 0), animated: dice.chance(0.5))
      }
    }

    private func suspend() {
      if list.isSuspended { list.tracking?.resume() } else { list.tracking?.suspend() }
      list.isSuspended.toggle()
    }

    /// The app removes rows, from its models and from the tracker.
    private func remove() {
      guard let path = visiblePath(), !lists.contains(where: { $0.view.dropPlaceholder != nil })
      else { return }
      let id = list.model[path[0]][path[1]]
      for list in lists {
        guard let path = list.path(of: id) else { continue }
        list.model[path[0]].remove(at: path[1])
        if list.view.window == nil { list.view.reloadData() } else { list.view.delete([path]) }
      }
      server.forget()
      tracker.remove([id])
    }

    /// The ids of rows on screen change.
    private func rename() {
      guard server.source == .loads, !lists.contains(where: { $0.view.dropPlaceholder != nil })
      else { return }
      for path in [visiblePath(), visiblePath()].compactMap(\.self) {
        let old = list.model[path[0]][path[1]]
        let new = server.rename(old)
        tracker.rename(old, to: new)
        for list in lists {
          if let path = list.path(of: old) { list.model[path[0]][path[1]] = new }
          if dice.chance(0.5) { list.tracking?.dataChanged() }
        }
      }
    }

    /// The naive model knows no pauses by hand.
    private func pause() {
      if !isCompared { tracker.core.slots.pause(for: .milliseconds(100)) }
    }

    /// From now on, renders lay the list out.
    private func renderWithLayout() {
      list.whileRendering =
        list.whileRendering == nil ? { [weak list] in list?.view.layoutIfNeeded() } : nil
      server.forget()
      tracker.invalidateAll()
    }

    /// The app forwards calls late, or twice.
    private func forward() {
      for cell in list.view.shown.values.filter({ _ in dice.chance(0.3) }) {
        if dice.chance(0.5) {
          list.tracking?.didEndDisplaying(cell)
        } else {
          list.tracking?.willDisplay(cell)
        }
      }
      list.view.setNeedsLayout()
    }
  }
#endif
