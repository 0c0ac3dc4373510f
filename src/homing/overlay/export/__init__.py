"""Networks written out for other model checkers: NuSMV's text of chapters 5 and 6 of the thesis."""
