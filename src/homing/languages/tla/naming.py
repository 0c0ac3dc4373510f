"""What a configuration says of names, and what it names."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any

from homing.core.errors import HomingError
from homing.languages.tla import config as configuration
from homing.languages.tla.config import Config, Name
from homing.languages.tla.free import Free
from homing.languages.tla.modules import STANDARD
from homing.languages.tla.resolve import Specification
from homing.languages.tla.scope import Builtin, Constant, Definition, Symbol, Variable, unknown
from homing.languages.tla.syntax import Node


class Naming:
    """The names of a specification, as its configuration uses them."""

    def __init__(self, spec: Specification, config: Config, path: Path, config_path: Path) -> None:
        self.spec = spec
        self.config = config
        self.path = path
        self.config_path = config_path

    def meanings(self) -> dict[Symbol, Any]:
        """By constant, or by operator that is replaced: a value, or the symbol that stands in."""
        meanings: dict[Symbol, Any] = {}
        by_name: dict[str, list[Symbol]] = {}
        for definition in self.spec.definitions:
            by_name.setdefault(definition.name, []).append(definition)
        for standard in STANDARD.values():
            for name, symbol in standard.items():
                by_name.setdefault(name, []).append(symbol)
        scope = self.spec.scope
        for given, value in self.config.values:
            target = self.spec.scope.find(given.text)
            if isinstance(target, Variable):
                raise HomingError(f"'{given.text}' is a variable, no constant", given.place)
            # As in TLC, a value for a name that nothing has is not minded.
            for meant in [target] if target is not None else by_name.get(given.text, []):
                meanings[meant] = value
        for replacement in self.config.replacements:
            by = self._find(replacement.by)
            for symbol in self._replaced(replacement, by, by_name):
                meanings[symbol] = by
        for constant in self.spec.constants:
            if constant not in meanings:
                spare = [given.text for given, _ in self.config.values if scope.find(given.text) is None]
                said = f"{self.config_path.name} gives constant '{constant.name}' no value"
                raise unknown(said, constant.name, get_close_matches(constant.name, spare), constant.place)
        return meanings

    def _replaced(
        self, replacement: configuration.Replacement, by: Symbol, by_name: dict[str, list[Symbol]]
    ) -> list[Symbol]:
        """What something else stands in for."""
        wanted = [symbol for symbol in by_name.get(replacement.name.text, ()) if self._matches(symbol, replacement)]
        direct = self.spec.scope.find(replacement.name.text)
        targets = [direct] if direct is not None and replacement.module is None else []
        # What it calls of an instance of the module that it replaces an operator of is the operator as it was.
        called = Free({}).called(by) if isinstance(by, Definition) else frozenset()
        targets += [symbol for symbol in wanted if symbol is not by and symbol not in called]
        if not targets:
            raise self._unknown(replacement.name)
        return [target for target in targets if target is not by]

    def _matches(self, symbol: Symbol, replacement: configuration.Replacement) -> bool:
        module = getattr(symbol, "module", "")
        if module == "LET":
            return False
        if isinstance(symbol, Builtin):
            return True
        return replacement.module is None or module == replacement.module

    def _find(self, name: Name) -> Symbol:
        symbol = self.spec.scope.find(name.text)
        if symbol is None and "!" in name.text:
            symbol = self._qualified(name)
        if symbol is None:
            raise self._unknown(name)
        return symbol

    def _qualified(self, name: Name) -> Symbol | None:
        *path, last = name.text.split("!")
        scope = self.spec.scope
        for part in path:
            found = scope.find(part)
            if found is None or not hasattr(found, "scope"):
                return None
            scope = found.scope
        return scope.find(last)

    def _unknown(self, name: Name) -> HomingError:
        said = f"'{name.text}' is not defined in {self.path.name}"
        return unknown(said, name.text, self.spec.scope.known(), name.place)

    def named(self, name: Name) -> Node:
        """A reference to what the configuration names."""
        symbol = self._find(name)
        if isinstance(symbol, Variable):
            return Node("ref", (), symbol, symbol.place)
        if not isinstance(symbol, Definition | Builtin | Constant) or symbol.arity:
            raise HomingError(f"'{name.text}' is no formula without arguments", name.place)
        return Node("ref", (), symbol, symbol.place if not isinstance(symbol, Builtin) else name.place)
