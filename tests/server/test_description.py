"""Whatever the API's description allows, and what it does not, sent to a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import negative_data_rejection, positive_data_acceptance

from webgeist.server.app import create_api

if TYPE_CHECKING:
    from schemathesis import Case
    from tests.server.asking import Asked

_SCHEMA = schemathesis.openapi.from_dict(create_api().openapi())

# A query may have the form of one and still make no sense, and ids are of captures that are there:
# so what the description allows may be refused (400, 404), in the form that it tells.
_EXCLUDED = [positive_data_acceptance, negative_data_rejection]


@_SCHEMA.parametrize()
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_the_server_keeps_to_its_description(case: Case[Any], server: Asked) -> None:
    case.call_and_validate(base_url=server.url, excluded_checks=_EXCLUDED)


@pytest.mark.slow
@_SCHEMA.parametrize()
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_server_keeps_to_it_for_long(case: Case[Any], server: Asked) -> None:
    case.call_and_validate(base_url=server.url, excluded_checks=_EXCLUDED)
