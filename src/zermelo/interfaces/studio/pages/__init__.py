"""The pages of the studio, a folder each."""
