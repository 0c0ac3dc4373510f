.PHONY: test bench docs clean

test:
	./homing test

# All benchmarks, and one table of ratios; TLA2TOOLS, NUSMV and TCHECKER say where those peers are.
bench:
	./homing bench --results benchmarks/RESULTS.md

docs:
	./homing docs

clean:
	rm -rf .venv .setup.lock .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist site
	find src tests tools benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
