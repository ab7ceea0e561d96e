"""What the list of lines needs to know of other apps."""

from django import template

from talk.models import Line
from talk.reporting import report_address

register = template.Library()


@register.simple_tag
def report_link(line: Line) -> str:
    """Where a line is reported; empty where nobody takes reports."""
    return report_address(line)
