// swift-tools-version: 6.0
import PackageDescription

// For Linux only: GTK's loop serves Dispatch's main queue through calls that exist only there.
let package = Package(
  name: "GtkGallery",
  products: [.executable(name: "gtk-gallery", targets: ["GtkGallery"])],
  dependencies: [.package(name: "RowOperations", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CGtk", pkgConfig: "gtk4",
      providers: [.apt(["libgtk-4-dev"]), .yum(["gtk4-devel"])]),
    .executableTarget(
      name: "GtkGallery",
      dependencies: ["CGtk", .product(name: "RowOperations", package: "RowOperations")]),
  ],
  swiftLanguageModes: [.v6]
)
