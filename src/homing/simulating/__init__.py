"""Walks through a model step by step, at random or as a person chooses."""
