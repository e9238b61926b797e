// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "GtkGallery",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "gtk-gallery", targets: ["GtkGallery"])],
  dependencies: [.package(name: "RowOperations", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CGtk", pkgConfig: "gtk4",
      providers: [.apt(["libgtk-4-dev"]), .yum(["gtk4-devel"]), .brew(["gtk4"])]),
    .executableTarget(
      name: "GtkGallery",
      dependencies: ["CGtk", .product(name: "RowOperations", package: "RowOperations")]),
  ],
  swiftLanguageModes: [.v6]
)
