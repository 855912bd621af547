"""Trees drawn: as text and as SVG."""
