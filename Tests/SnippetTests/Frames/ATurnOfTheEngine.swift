private protocol Engine {
  associatedtype Input
  associatedtype Effect

  //@ mutating func take(_ input: Input, at now: Int64) -> Bool  // An event.
}
