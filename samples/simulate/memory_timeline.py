"""Exported memory timelines small enough to be checked by hand, as torch.profiler writes them."""
import json

START = 1790857026000000000  # nanoseconds since 1970
PREEXISTING, CREATE, VERSION, DESTROY = 1, 2, 3, 4
PARAMETER, OPTIMIZER_STATE, INPUT, TEMPORARY, ACTIVATION, GRADIENT, AUTOGRAD_DETAIL, UNKNOWN = range(8)


def version(at, size, before, after):
    """A tensor written in place: two rows."""
    return [[at, VERSION, -size, before], [at, VERSION, size, after]]


def rows():
    """Every rule once; the table in README.md goes through it. Times are microseconds after START."""
    changes = [[-1, PREEXISTING, 4096, PARAMETER], [-1, PREEXISTING, 4096, PARAMETER], [-1, PREEXISTING, 1000, OPTIMIZER_STATE],
               [-1, PREEXISTING, 2048, UNKNOWN]]
    changes += [[1, CREATE, 8192, ACTIVATION], [2, CREATE, 8192, ACTIVATION], [3, CREATE, 2048, INPUT], [3, DESTROY, -2048, UNKNOWN]]
    changes += version(4, 4096, PARAMETER, PARAMETER)
    changes += [[5, CREATE, 16384, AUTOGRAD_DETAIL]]
    changes += version(6, 16384, AUTOGRAD_DETAIL, GRADIENT)
    changes += [[7, DESTROY, -8192, ACTIVATION], [8, CREATE, 512, TEMPORARY], [8, DESTROY, -512, TEMPORARY],
                [9, DESTROY, -4096, ACTIVATION], [10, DESTROY, -16384, GRADIENT], [11, DESTROY, -2048, INPUT]]
    return [[at if at < 0 else START + at * 1000, *rest] for at, *rest in changes]


def host_rows():
    """The same step on the CPU, whose allocator hands out what it is asked for."""
    return [[-1, PREEXISTING, 4100, PARAMETER], [START, CREATE, 8200, ACTIVATION], [START + 1000, CREATE, 4100, GRADIENT],
            [START + 2000, DESTROY, -8200, ACTIVATION], [START + 3000, DESTROY, -4100, GRADIENT]]


def levels(changes):
    """[times in microseconds, levels of each category after each of them], as the exporter sums rows up."""
    times, sizes = [], []
    for at, _, size, category in changes:
        at = int(at / 1000) if at >= 0 else -1
        if not times or at != times[-1]:
            times.append(at)
            sizes.append(list(sizes[-1]) if sizes else [0] * 9)
        sizes[-1][category + 1] += size
    first = min(at for at in times if at >= 0)
    return [[first if at < 0 else at for at in times], sizes]


def picture():
    """The HTML form: nothing but a picture."""
    return ('<html>\n<head><meta charset="utf-8" /><title>GPU Memory Timeline HTML</title></head>\n<body>\n'
            "  <img src='data:image/png;base64,iVBORw0KGgo='>\n</body>\n</html>").encode()


def files():
    yield "tiny-rows.raw.json", json.dumps(rows()).encode()
    yield "tiny-levels.json", json.dumps(levels(rows())).encode()
    yield "tiny-host-rows.raw.json", json.dumps(host_rows()).encode()


def broken_files():
    data = json.dumps(rows()).encode()
    yield "timeline-cut.raw.json", data[:len(data) * 3 // 5]
    yield "timeline-broken.raw.json", data.replace(b", [1790857026000005000", b", [1790857026000004500, 2 512, 3], [1790857026000005000")
    yield "timeline-picture.html", picture()
