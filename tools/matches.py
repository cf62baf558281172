"""Write a result into a page."""


def replace_section(page: str, name: str, text: str) -> str:
    """The page with a new text between the marks of a section. Raises ValueError if a mark is missing."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = page.partition(start)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"the page must have the marks {start} and {end}, in this order")
    return f"{before}{start}\n{text}{end}{after}"
