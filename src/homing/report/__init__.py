"""Renders results: tables and traces for people, JSON and JUnit for machines."""
