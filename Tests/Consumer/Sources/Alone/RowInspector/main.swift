import RowInspector

print(ListDoctor<Int>().findings.count)
