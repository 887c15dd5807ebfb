"""SimHash, visual model, fusion, regions, reasons."""
