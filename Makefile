.PHONY: test bench clean

test:
	./homing test

bench:
	./homing bench

clean:
	rm -rf .venv .setup.lock .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find src tests tools benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
