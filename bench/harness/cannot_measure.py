"""A contestant that cannot take part, and why."""


class CannotMeasure(Exception):
    """Its text is shown in the place of figures: "not installed", "has no form upload", "answered 200 to a range"."""
