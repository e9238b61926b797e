// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The part of SwiftUI that the package is written in, so that Scrolling.swift has views to extend.
// https://developer.apple.com/documentation/swiftui

import Foundation

@MainActor
public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { self }
}

public protocol BuiltInView: View where Body == Never {}

extension BuiltInView {
  public var body: Never { fatalError("Never run.") }
}

public struct EmptyView: BuiltInView {
  nonisolated public init() {}
}

public struct TupleView<each Content: View>: BuiltInView {
  nonisolated init(_ content: repeat each Content) {}
}

public struct ConditionalContent<First: View, Second: View>: BuiltInView {
  nonisolated init() {}
}

public struct Color: BuiltInView {
  nonisolated public static var clear: Color { Color() }
}

public struct ZStack<Content: View>: BuiltInView {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct GeometryProxy {}

public struct GeometryReader<Content: View>: BuiltInView {
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
}

@resultBuilder
public enum ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<repeat each Content> {
    TupleView(repeat each content)
  }
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> ConditionalContent<First, Second> { ConditionalContent() }
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> ConditionalContent<First, Second> { ConditionalContent() }
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> Content {
    content
  }
}

@MainActor
public protocol ViewModifier {
  typealias Content = ModifierContent<Self>
  associatedtype Body: View
  @ViewBuilder func body(content: Content) -> Body
}

public struct ModifierContent<Modifier: ViewModifier>: BuiltInView {}

public struct ModifiedContent<Content, Modifier> {}

extension ModifiedContent: View, BuiltInView where Content: View, Modifier: ViewModifier {}

extension View {
  nonisolated public func modifier<Modifier: ViewModifier>(
    _ modifier: Modifier
  ) -> ModifiedContent<Self, Modifier> { ModifiedContent() }
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
  nonisolated public func coordinateSpace<Name: Hashable>(name: Name) -> some View { self }
  nonisolated public func onChange<Value: Equatable>(
    of value: Value, perform action: @escaping (_ newValue: Value) -> Void
  ) -> some View { self }
  nonisolated public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View { self }
  nonisolated public func background(@ViewBuilder content: () -> some View) -> some View { self }
}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { Key.defaultValue }
    set {}
  }
}

@propertyWrapper
public struct Environment<Value> {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError("Never run.") }
}

public protocol ObservableObject: AnyObject {}

@propertyWrapper
public struct Published<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}

@MainActor
@propertyWrapper
public struct StateObject<Object: ObservableObject> {
  nonisolated public init(wrappedValue: @autoclosure @escaping () -> Object) {}
  public var wrappedValue: Object { fatalError("Never run.") }
}

public enum Axis: Int8, Sendable {
  case horizontal
  case vertical

  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let horizontal = Set(rawValue: 1)
    public static let vertical = Set(rawValue: 2)
  }
}

public struct EdgeInsets: Equatable, Sendable {
  public var top: CGFloat
  public var leading: CGFloat
  public var bottom: CGFloat
  public var trailing: CGFloat
}

public struct CGVector: Equatable, Sendable {
  public var dx: CGFloat
  public var dy: CGFloat
}
