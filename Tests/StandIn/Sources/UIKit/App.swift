open class UIWindow: UIView {
  public var windowScene: UIWindowScene?

  public override init(frame: CGRect) {
    super.init(frame: frame)
    isHidden = true
    MainLoop.add(self)
  }

  public required init?(coder: NSCoder) { nil }

  public override var _root: AnyObject? { self }

  /// Core Animation lays out no window without a scene.
  public override var _isOnDisplay: Bool { !isHidden && windowScene != nil }
}

@MainActor
public class UIScene: NSObject {
  public enum ActivationState: Sendable {
    case foregroundActive
    case foregroundInactive
    case background
  }

  public internal(set) var activationState = ActivationState.foregroundActive

  public nonisolated static let didEnterBackgroundNotification = Notification.Name("SceneLeft")
  public nonisolated static let willEnterForegroundNotification = Notification.Name("SceneComes")
}

public final class UIWindowScene: UIScene {}

@MainActor
public final class UIApplication: NSObject {
  public static let shared = UIApplication()

  public private(set) lazy var connectedScenes: Set<UIScene> = [UIWindowScene()]

  public nonisolated static let didEnterBackgroundNotification = Notification.Name("AppLeft")
  public nonisolated static let willEnterForegroundNotification = Notification.Name("AppComes")
  public nonisolated static let didBecomeActiveNotification = Notification.Name("AppIsActive")
  public nonisolated static let didReceiveMemoryWarningNotification = Notification.Name("LowMemory")
}

extension UIApplication {
  /// Connects another scene, in the foreground.
  package func connectScene() -> UIWindowScene {
    let scene = UIWindowScene()
    connectedScenes.insert(scene)
    return scene
  }

  package func disconnect(_ scene: UIWindowScene) { connectedScenes.remove(scene) }

  package func sendMemoryWarning() { post(Self.didReceiveMemoryWarningNotification, self) }

  /// Brings a scene into the background; the app follows with its last scene.
  package func enterBackground(_ scene: UIScene) {
    let isLast = connectedScenes.allSatisfy { $0 === scene || $0.activationState == .background }
    change(scene, to: .background, UIScene.didEnterBackgroundNotification) {
      if isLast { post(Self.didEnterBackgroundNotification, self) }
    }
  }

  /// Brings a scene into the foreground; the app comes with its first scene.
  package func enterForeground(_ scene: UIScene) {
    let isFirst = connectedScenes.allSatisfy { $0.activationState == .background }
    change(scene, to: .foregroundInactive, UIScene.willEnterForegroundNotification) {
      if isFirst { post(Self.willEnterForegroundNotification, self) }
    }
    scene.activationState = .foregroundActive
    if isFirst { post(Self.didBecomeActiveNotification, self) }
  }

  private func change(
    _ scene: UIScene, to state: UIScene.ActivationState, _ name: Notification.Name,
    app: () -> Void
  ) {
    if MainLoop.variant.appFirst { app() }
    if MainLoop.variant.stateFirst { scene.activationState = state }
    post(name, scene)
    scene.activationState = state
    if !MainLoop.variant.appFirst { app() }
  }

  private func post(_ name: Notification.Name, _ sender: AnyObject) {
    NotificationCenter.default.post(name: name, object: sender)
  }
}

/// A controller whose view is a table, of which it is the data source.
@MainActor
open class UITableViewController: NSObject, UITableViewDataSource {
  private var isLoaded = false
  private let table = UITableView(frame: .zero)

  public override init() {
    super.init()
    table.dataSource = self
  }

  public var tableView: UITableView {
    if !isLoaded {
      isLoaded = true
      viewDidLoad()
    }
    return table
  }

  open func viewDidLoad() {}

  open func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }

  open func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    UITableViewCell(style: .default, reuseIdentifier: nil)
  }
}
