import RowInspector

print(Timeline<Int> { $0 }.svg(title: "Nothing").count)
