"""Agents to watch, and what they teach."""
