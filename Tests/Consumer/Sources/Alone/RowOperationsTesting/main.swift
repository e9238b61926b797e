import RowOperationsTesting

print(try EventScript("c0(a) W0(a) | F0 |").steps.count)
