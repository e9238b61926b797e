@_exported import AsyncOperations
