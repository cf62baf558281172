"""Modules put together as one script."""

import pytest

from ox88.apps.viewer import files
from ox88.apps.viewer.files import bundle

MODULES = {
    "one.js": 'import { two, three as c } from "./two.js";\nexport const one = () => two() + c;\nconst own = 1;\n',
    "two.js": "const own = 2;\nexport function two() {\n  return own;\n}\nexport const three = 3;\n",
    "circle.js": 'import { other } from "./back.js";\n',
    "back.js": 'import { any } from "./circle.js";\n',
    "default.js": "export default 1;\n",
}


@pytest.fixture(autouse=True)
def modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "read_file", MODULES.__getitem__)


def test_a_module_stands_behind_what_it_imports_and_keeps_its_own_names() -> None:
    script = bundle('import {\n  one,\n} from "/viewer/one.js";\nimport * as all from "/viewer/two.js";\n\none(all);\n')
    assert script == (
        '"use strict";\n{\nconst modules = {};\n'
        'modules["two.js"] = (() => {\nconst own = 2;\nfunction two() {\n  return own;\n}\nconst three = 3;\n'
        "return { two, three };\n})();\n"
        'modules["one.js"] = (() => {\nconst { two, three: c } = modules["two.js"];\n'
        "const one = () => two() + c;\nconst own = 1;\nreturn { one };\n})();\n"
        '(() => {\nconst {\n  one,\n} = modules["one.js"];\nconst all = modules["two.js"];\n\n'
        "one(all);\nreturn {  };\n})();\n}\n"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('import { other } from "/viewer/circle.js";\n', r"in a circle: circle\.js -> back\.js -> circle\.js"),
        ('import { any } from "/viewer/default.js";\n', r"default\.js has 'export default 1;'"),
        ('import any from "/viewer/two.js";\n', "the page's script has 'import any from"),
        ('import { any } from "/static/two.js";\n', "the page's script has 'import { any } from"),
    ],
)
def test_what_cannot_be_put_together(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        bundle(text)
