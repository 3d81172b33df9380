"""The report: one page that shows what was learned, used and proved, drawn from one document."""
