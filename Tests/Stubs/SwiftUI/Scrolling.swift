// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// SwiftUI's scrolling API, to compile code behind checks for iOS 17 and 18 without an SDK. Each
// declaration has the signature that Apple publishes at the address above it, without the parts
// that the package does not use. The code never runs.

import Foundation

// MARK: iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1

// https://developer.apple.com/documentation/swiftui/scrolltarget
public struct ScrollTarget {
  public var rect: CGRect
}

// https://developer.apple.com/documentation/swiftui/scrolltargetbehaviorcontext
public struct ScrollTargetBehaviorContext {
  public let originalTarget: ScrollTarget
  public let velocity: CGVector
  public let contentSize: CGSize
  public let containerSize: CGSize
  public let axes: Axis.Set
}

// https://developer.apple.com/documentation/swiftui/scrolltargetbehavior
public protocol ScrollTargetBehavior {
  typealias TargetContext = ScrollTargetBehaviorContext
  typealias Properties = ScrollTargetBehaviorProperties
  typealias PropertiesContext = ScrollTargetBehaviorPropertiesContext

  // https://developer.apple.com/documentation/swiftui/scrolltargetbehavior/properties(context:)
  func properties(context: PropertiesContext) -> Properties

  // https://developer.apple.com/documentation/swiftui/scrolltargetbehavior/updatetarget(_:context:)
  func updateTarget(_ target: inout ScrollTarget, context: TargetContext)
}

extension ScrollTargetBehavior {
  public func properties(context: PropertiesContext) -> Properties { Properties() }
}

// https://developer.apple.com/documentation/swiftui/scrolltargetbehaviorproperties
public struct ScrollTargetBehaviorProperties: Equatable, Sendable {}

// https://developer.apple.com/documentation/swiftui/scrolltargetbehaviorpropertiescontext
public struct ScrollTargetBehaviorPropertiesContext {}

extension View {
  // https://developer.apple.com/documentation/swiftui/view/scrolltargetbehavior(_:)
  nonisolated public func scrollTargetBehavior(_ behavior: some ScrollTargetBehavior) -> some View {
    self
  }
}

// https://developer.apple.com/documentation/swiftui/namedcoordinatespace
public struct NamedCoordinateSpace: CoordinateSpaceProtocol {}

// https://developer.apple.com/documentation/swiftui/coordinatespaceprotocol
public protocol CoordinateSpaceProtocol {}

extension CoordinateSpaceProtocol where Self == NamedCoordinateSpace {
  // https://developer.apple.com/documentation/swiftui/coordinatespaceprotocol/scrollview(axis:)
  public static func scrollView(axis: Axis) -> Self { NamedCoordinateSpace() }
  // https://developer.apple.com/documentation/swiftui/coordinatespaceprotocol/named(_:)
  public static func named(_ name: some Hashable) -> Self { NamedCoordinateSpace() }
}

extension GeometryProxy {
  // https://developer.apple.com/documentation/swiftui/geometryproxy/frame(in:)
  public func frame(in coordinateSpace: some CoordinateSpaceProtocol) -> CGRect { .zero }
  // https://developer.apple.com/documentation/swiftui/geometryproxy/bounds(of:)
  public func bounds(of coordinateSpace: NamedCoordinateSpace) -> CGRect? { nil }
}

// MARK: iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2

// https://developer.apple.com/documentation/swiftui/scrollphase
public enum ScrollPhase: Hashable, Sendable {
  case idle
  case tracking
  case interacting
  case decelerating
  case animating
}

// https://developer.apple.com/documentation/swiftui/scrollgeometry
public struct ScrollGeometry: Equatable, Sendable {
  public var contentOffset: CGPoint
  public var contentSize: CGSize
  public var contentInsets: EdgeInsets
  public var containerSize: CGSize
}

// https://developer.apple.com/documentation/swiftui/scrollphasechangecontext
public struct ScrollPhaseChangeContext {
  public var geometry: ScrollGeometry { fatalError("Never run.") }
  public var velocity: CGVector? { nil }
}

extension View {
  // https://developer.apple.com/documentation/swiftui/view/onscrollphasechange(_:)
  nonisolated public func onScrollPhaseChange(
    _ action:
      @escaping (
        _ oldPhase: ScrollPhase, _ newPhase: ScrollPhase, _ context: ScrollPhaseChangeContext
      ) -> Void
  ) -> some View { self }

  // https://developer.apple.com/documentation/swiftui/view/onscrollgeometrychange(for:of:action:)
  nonisolated public func onScrollGeometryChange<T: Equatable>(
    for type: T.Type, of transform: @escaping (ScrollGeometry) -> T,
    action: @escaping (_ oldValue: T, _ newValue: T) -> Void
  ) -> some View { self }

  // https://developer.apple.com/documentation/swiftui/view/onscrollvisibilitychange(threshold:_:)
  nonisolated public func onScrollVisibilityChange(
    threshold: Double = 0.5, _ action: @escaping (Bool) -> Void
  ) -> some View { self }
}
