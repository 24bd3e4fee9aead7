"""The results of `highwater` as typed objects. All figures and sentences come from the program. `document` is its whole
JSON output, whose keys the manual explains under "JSON output"."""
from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Tuple

Document = Dict[str, Any]


@dataclass(frozen=True)
class Place:
    """A line of the user's own code."""

    file: str
    line: Optional[int]
    function: Optional[str]


@dataclass(frozen=True)
class Diagnosis:
    """The diagnosis of a run; str() returns its sentence."""

    kind: str  # "gpu-oom-leak", "clean", "nothing-examined" and so on: `class` in the manual
    sentence: str
    detail: Optional[str]
    next: Optional[str]  # what to do
    place: Optional[Place]  # the line whose request failed
    rank: Optional[int]
    device: Optional[int]
    bytes: Optional[int]  # the bytes that the sentence is about
    requested_bytes: Optional[int]
    free_bytes: Optional[int]
    capacity_bytes: Optional[int]
    failures: int
    fatal: Optional[bool]

    def __str__(self) -> str:
        return self.sentence

    @staticmethod
    def read(document: Document) -> "Diagnosis":
        place = document["place"]
        plain = {key: document[key] for key in Diagnosis.__dataclass_fields__ if key not in ("kind", "place")}
        return Diagnosis(kind=document["class"], place=Place(**place) if place else None, **plain)


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong (`fault`) or worth knowing (`fact`); grade A is decidable, B a strong inference, C a question."""

    rule: str
    grade: str
    kind: str
    title: str
    bytes: Optional[int]
    step: Optional[int]
    evidence: Tuple[str, ...]
    remedy: Optional[str]
    saved_bytes: Optional[int]
    path: str

    @staticmethod
    def read(document: Document) -> "Finding":
        plain = {key: document.get(key) for key in Finding.__dataclass_fields__ if key != "evidence"}
        return Finding(evidence=tuple(document["evidence"]), **plain)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Shown:
    """A result that a notebook shows as the live timeline of the report."""

    document: Document = field(repr=False)
    make_page: Callable[[], str] = field(repr=False, compare=False)  # the report's HTML page, made when it is asked for

    def _repr_html_(self) -> Optional[str]:
        # The page has its own styles and scripts, so it is shown in a sandboxed frame without access to the notebook.
        return (f'<iframe srcdoc="{html.escape(self.make_page())}" sandbox="allow-scripts" title="Highwater" '
                'style="width: 100%; height: 720px; border: 0"></iframe>')


@dataclass(frozen=True)
class Analysis(Shown):
    """The diagnosis and the findings of one run. Findings are in the order in which to read them."""

    diagnosis: Diagnosis
    findings: Tuple[Finding, ...]

    @staticmethod
    def read(document: Document, make_page: Callable[[], str]) -> "Analysis":
        ordered = sorted(document["findings"], key=lambda finding: finding["rank"])
        return Analysis(document, make_page, Diagnosis.read(document["diagnosis"]), tuple(map(Finding.read, ordered)))


@dataclass(frozen=True)
class Row:
    """One row of a comparison: bytes of the peak before and after, at one place of the code."""

    key: str
    before_bytes: int
    after_bytes: int
    delta_bytes: int
    status: str


@dataclass(frozen=True)
class Comparison(Shown):
    """What changed between two runs, peak against peak: the rows sum to the difference."""

    headline: str
    before: Diagnosis
    after: Diagnosis
    before_bytes: Optional[int]
    after_bytes: Optional[int]
    delta_bytes: Optional[int]
    rows: Tuple[Row, ...]  # empty if two logs are compared

    @staticmethod
    def read(document: Document, make_page: Callable[[], str]) -> "Comparison":
        before, after = document["before"], document["after"]
        rows = tuple(Row(**{key: row[key] for key in Row.__dataclass_fields__}) for row in document["rows"])
        return Comparison(document, make_page, document["verdict"]["headline"], Diagnosis.read(before["diagnosis"]),
                          Diagnosis.read(after["diagnosis"]), before.get("bytes", before["peak_bytes"]),
                          after.get("bytes", after["peak_bytes"]), document["delta_bytes"], rows)


@dataclass(frozen=True)
class RehearsedDevice:
    rank: Optional[int]
    device: int
    verdict: str
    peak_bytes: int
    reserved_peak_bytes: int
    spare_bytes: int  # negative if memory is missing


@dataclass(frozen=True)
class Rehearsal(Shown):
    """Whether a command fits a GPU: verdict is "fits", "too-close", "does-not-fit" or "failed"."""

    verdict: Optional[str]  # None if nothing was recorded
    complete: bool  # False if a size may depend on a value computed on the GPU, or if there are gaps
    gaps: Tuple[str, ...]  # sentences on what the verdict does not include
    inexact: Tuple[str, ...]  # which sizes are not those of a real GPU
    diagnosis: Optional[Diagnosis]
    devices: Tuple[RehearsedDevice, ...]
    snapshots: Tuple[str, ...]
    output: str = field(repr=False)  # what the command printed

    def _repr_html_(self) -> Optional[str]:
        return super()._repr_html_() if self.snapshots else None

    @property
    def fits(self) -> Optional[bool]:
        """True or False if it is certain; None if it is too close to tell or unknown."""
        return {"fits": True, "does-not-fit": False}.get(self.verdict or "") if self.complete else None

    @staticmethod
    def read(document: Document, output: str, make_page: Callable[[List[str]], str]) -> "Rehearsal":
        found = [{**device, "rank": process["rank"]} for process in document["processes"] for device in process["devices"]]
        devices = tuple(RehearsedDevice(**{key: device[key] for key in RehearsedDevice.__dataclass_fields__}) for device in found)
        snapshots = [process["path"] for process in document["processes"] if process["path"]]
        diagnosis = Diagnosis.read(document["diagnosis"]) if document["diagnosis"] else None
        return Rehearsal(document, lambda: make_page(snapshots), document["verdict"], document["complete"],
                         tuple(document["gaps"]), tuple(document["inexact"]), diagnosis, devices, tuple(snapshots), output)
