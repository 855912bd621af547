"""The searches of the page of analysis, as a search process runs them; each answers in the form task.py describes."""
