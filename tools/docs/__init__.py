"""Writes what in docs/ is made from the program: reference, coverage, screens, pictures; builds the site.

What is written is kept in the repository and compared by a test. So whoever reads the repository reads the same as on
the site, and a change of an option shows in a diff.
"""
