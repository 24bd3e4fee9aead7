// The timeline that lives in a report. Its data are the columns of LiveTimeline (core/figure/live): the bytes of
// every group right after the highest moment of each column. What is painted is made of pixel columns, so that
// a frame costs as much with a thousand events as with ten million. Texts of the data only ever become text.
(function () {
  'use strict';

  var LEFT = 62, RIGHT = 10, STEP_LANE = 17, PHASE_LANE = 15, AXIS = 22, PLOT = 300, PAIR_PLOT = 210;
  // Steps narrower than this are not drawn event by event but in groups, and in their lane not one by one.
  var NARROWEST_STEP = 3, NARROWEST_GROUP = 10, NARROWEST_STEP_BAR = 8, PALE = 0.4;
  var UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

  // ---- texts -------------------------------------------------------------------------------------------------

  function bytesText(bytes) {
    var sign = bytes < 0 ? '−' : '', value = Math.abs(bytes), unit = 0;
    while (value >= (unit === 0 ? 1024 : 999.995) && unit < UNITS.length - 1) { value /= 1024; ++unit; }
    return sign + String(+value.toFixed(2)) + ' ' + UNITS[unit];
  }
  function countText(count) { return count.toLocaleString('en-US'); }
  function counted(count, one, many) { return countText(count) + ' ' + (count === 1 ? one : many); }
  function deltaText(bytes) { return (bytes > 0 ? '+' : '') + bytesText(bytes); }

  function make(name, className, text) {
    var element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  // ---- data --------------------------------------------------------------------------------------------------

  function bytesOf(base64) {
    var text = atob(base64), bytes = new Uint8Array(text.length);
    for (var i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
    return bytes;
  }

  // Numbers above 2^31 are usual, so no bit operations on them.
  function Reader(bytes) {
    var at = 0;
    this.number = function () {
      var value = 0, scale = 1, byte;
      do {
        byte = bytes[at++];
        value += (byte & 127) * scale;
        scale *= 128;
      } while (byte > 127);
      return value;
    };
    this.difference = function () {
      var value = this.number();
      return value % 2 ? -(value + 1) / 2 : value / 2;
    };
  }

  // The largest of each range of columns, the first of equals: the root is node 1, leaves begin at `leaves`.
  function maximumTree(totals) {
    var leaves = 1;
    while (leaves < totals.length) leaves *= 2;
    var tree = new Int32Array(2 * leaves).fill(-1);
    for (var i = 0; i < totals.length; ++i) tree[leaves + i] = i;
    function better(a, b) { return b < 0 || (a >= 0 && totals[a] >= totals[b]) ? a : b; }
    for (i = leaves - 1; i > 0; --i) tree[i] = better(tree[2 * i], tree[2 * i + 1]);
    return function (first, last) {
      var left = -1, right = -1;
      for (var a = first + leaves, b = last + leaves; a < b; a >>= 1, b >>= 1) {
        if (a & 1) left = better(left, tree[a++]);
        if (b & 1) right = better(tree[--b], right);
      }
      return better(left, right);
    };
  }

  function decode(run) {
    var groups = run.groups.length, width = groups + 1, columns = run.columns;
    var cells = new Float64Array(columns * width), totals = new Float64Array(columns);
    var events = new Float64Array(columns), reader = new Reader(bytesOf(run.changes)), event = 0;
    for (var c = 0; c < columns; ++c) {
      var base = c * width;
      if (c > 0) cells.copyWithin(base, base - width, base);
      event += reader.number();
      events[c] = event;
      for (var n = reader.number(); n > 0; --n) {
        var group = reader.number();
        cells[base + group] += reader.difference();
      }
      var total = 0;
      for (var g = 0; g < groups; ++g) total += cells[base + g];
      totals[c] = total;
    }
    run.changes = null;
    run.width = width;
    run.cells = cells;
    run.totals = totals;
    run.shown = events;
    run.highest = maximumTree(totals);
    run.words = run.groups.map(function (group) {
      return [group.label, group.key, group.category, group.held ? 'kept from earlier steps' : '']
        .concat(group.stack).join('\n').toLowerCase();
    });
    run.matches = null;
    run.stepPlaces = placesOf(run, run.steps, 1);
    run.phasePlaces = placesOf(run, run.phases.ranges, 0);
  }

  // Where each range of events begins and ends on the axis.
  function placesOf(run, ranges, at) {
    var places = new Float64Array(2 * ranges.length);
    ranges.forEach(function (range, i) {
      places[2 * i] = placeOf(run, range[at]);
      places[2 * i + 1] = range[at + 1] > range[at] ? placeOf(run, range[at + 1] - 1, 1) : places[2 * i];
    });
    return places;
  }

  function columnOf(run, event) {
    return Math.max(0, Math.min(run.columns - 1, Math.floor(event * run.columns / run.events)));
  }

  // ---- the axis: places, of which each run has its events in stretches ---------------------------------------------

  function stretchAt(run, place) {
    var all = run.stretches, low = 0, high = all.length;
    while (low < high) {
      var middle = (low + high) >> 1;
      if (all[middle][3] > place) high = middle; else low = middle + 1;
    }
    return low;
  }
  // The first event that begins at or after a place.
  function eventFrom(run, place) {
    var at = stretchAt(run, place);
    if (at === run.stretches.length) return run.events;
    var s = run.stretches[at];
    return place <= s[2] ? s[0] : Math.min(s[1], Math.ceil(s[0] + (place - s[2]) * (s[1] - s[0]) / (s[3] - s[2]) - 1e-9));
  }
  // The event whose state holds at a place; -1: the run has none there.
  function eventAt(run, place) {
    var at = stretchAt(run, place);
    if (at === run.stretches.length) return -1;
    var s = run.stretches[at];
    return place < s[2] ? -1 : Math.min(s[1] - 1, Math.floor(s[0] + (place - s[2]) * (s[1] - s[0]) / (s[3] - s[2])));
  }
  function placeOf(run, event, behind) {
    var all = run.stretches, low = 0, high = all.length - 1;
    while (low < high) {
      var middle = (low + high) >> 1;
      if (all[middle][1] > event) high = middle; else low = middle + 1;
    }
    var s = all[low];
    return s[2] + (event + (behind || 0) - s[0]) * (s[3] - s[2]) / (s[1] - s[0]);
  }
  // The column that a stretch of the axis shows; -1: nothing is there.
  function columnIn(run, from, to) {
    var first = eventFrom(run, from), last = eventFrom(run, to);
    if (first < last) return run.highest(columnOf(run, first), columnOf(run, last - 1) + 1);
    var event = eventAt(run, from);
    return event < 0 ? -1 : columnOf(run, event);
  }
  function stepAt(run, event) {
    var low = 0, high = run.steps.length;
    while (low < high) {
      var middle = (low + high) >> 1;
      if (run.steps[middle][2] > event) high = middle; else low = middle + 1;
    }
    return low < run.steps.length && run.steps[low][1] <= event ? low : -1;
  }
  // The indices of the first and the last step between two places; null: no steps are there.
  function stepsIn(run, from, to) {
    var at = eventAt(run, from), first = at < 0 ? eventFrom(run, from) : at;
    var a = stepAt(run, first), b = stepAt(run, Math.max(first, eventFrom(run, to) - 1));
    return a < 0 || b < 0 ? null : [a, b];
  }
  // The first of 1, 2, 5, 10, 20, … that is not below a number.
  function roundStep(wanted) {
    var power = Math.pow(10, Math.floor(Math.log10(wanted)));
    return power * [1, 2, 5, 10].find(function (n) { return n * power >= wanted * (1 - 1e-9); });
  }
  // How many steps are drawn as a group; 0: steps are wide enough, and columns show events.
  function stepsPerGroup(run, view, width) {
    var shown = stepsIn(run, view.from, view.to), each = shown ? (shown[1] - shown[0]) / width : 0;
    return each * NARROWEST_STEP > 1 ? Math.round(roundStep(each * NARROWEST_GROUP)) : 0;
  }
  function isWhole(step) { return step.length < 7; }
  // The columns of a stretch of the axis. With groups of `size` steps, each is the highest column of the groups
  // that it touches, with the lowest and the median peak of their complete steps.
  function stepColumns(run, view, width, size) {
    var each = (view.to - view.from) / width, all = [], known = null, knownFirst, knownLast;
    for (var x = 0; x < width; ++x) {
      var from = view.from + x * each, to = view.from + (x + 1) * each;
      var shown = size ? stepsIn(run, from, to) : null, column = columnIn(run, from, to);
      if (!shown || column < 0) {
        all.push({ column: column, lowest: Infinity, median: 0 });
        continue;
      }
      var first = shown[0] - shown[0] % size, last = Math.min(shown[1] - shown[1] % size + size, run.steps.length);
      if (!known || first !== knownFirst || last !== knownLast) {
        var steps = run.steps.slice(first, last), whole = steps.filter(isWhole);
        var peaks = (whole.length ? whole : steps).map(function (step) { return step[3]; }).sort(function (a, b) { return a - b; });
        known = {
          column: run.highest(columnOf(run, steps[0][1]), columnOf(run, steps[steps.length - 1][2] - 1) + 1),
          lowest: whole.length ? peaks[0] : peaks[peaks.length - 1],
          median: whole.length ? Math.floor((peaks[(peaks.length - 1) >> 1] + peaks[peaks.length >> 1]) / 2)
            : peaks[peaks.length - 1]
        };
        knownFirst = first;
        knownLast = last;
      }
      all.push(known);
    }
    return all;
  }
  function phaseAt(run, event) {
    var all = run.phases.ranges, low = 0, high = all.length;
    while (low < high) {
      var middle = (low + high) >> 1;
      if (all[middle][1] > event) high = middle; else low = middle + 1;
    }
    return low < all.length && all[low][0] <= event ? run.phases.names[all[low][2]].name : '';
  }
  function momentText(run, event) {
    var step = stepAt(run, event), phase = phaseAt(run, event);
    return 'event ' + countText(event) + (step < 0 ? '' : ', ' + run.steps[step][0]) + (phase ? ', ' + phase : '');
  }

  // ---- colours -----------------------------------------------------------------------------------------------

  function channels(hex) { return [1, 3, 5].map(function (at) { return parseInt(hex.substr(at, 2), 16); }); }
  function packed(rgb) { return (255 << 24 | rgb[2] << 16 | rgb[1] << 8 | rgb[0]) >>> 0; }
  function mixed(a, b, share) { return a.map(function (v, i) { return Math.round(v + (b[i] - v) * share); }); }
  function inkOn(rgb) { return rgb[0] * 0.299 + rgb[1] * 0.587 + rgb[2] * 0.114 > 140 ? '#14181d' : '#ffffff'; }

  function themeOf() {
    var root = document.documentElement, style = getComputedStyle(root);
    var isDark = root.dataset.theme ? root.dataset.theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
    function variable(name, usual) { return style.getPropertyValue(name).trim() || usual; }
    return {
      dark: isDark, surface: variable('--figure-background', '#ffffff'), ink: variable('--ink', '#1a1e23'),
      quiet: variable('--quiet', '#5a636e'), line: variable('--line', '#e2e5e9'), faint: variable('--faint', '#eceef1'),
      accent: variable('--link', '#1f62c6'), danger: isDark ? '#f0926f' : '#b2381b',
      reserved: isDark ? '#22262b' : '#eef0f3', reservedEdge: isDark ? '#5b646f' : '#b4bcc6'
    };
  }

  // For each group its pixels: plain, the hatch of what is held, the seam above it, paler above the lowest
  // of narrow steps; faded where it does not match.
  function pixelsOf(run, theme, chosen) {
    var surface = channels(theme.surface), white = [255, 255, 255];
    return run.groups.map(function (group, rank) {
      var own = channels(theme.dark ? group.dark : group.light);
      var isFaded = (run.matches && !run.matches[rank]) || (chosen && chosen !== group.id);
      if (isFaded) own = mixed(own, surface, theme.dark ? 0.7 : 0.66);
      return {
        rgb: own, faded: isFaded, plain: packed(own), pale: packed(mixed(own, surface, PALE)), paleRgb: mixed(own, surface, PALE),
        hatch: packed(group.held && !isFaded ? mixed(own, white, theme.dark ? 0.16 : 0.2) : own),
        seam: packed(mixed(own, surface, 0.38))
      };
    });
  }

  // ---- one run -----------------------------------------------------------------------------------------------

  function Plot(run, height, owner) {
    this.run = run;
    this.owner = owner;
    this.height = height;
    this.lanes = (run.steps.length ? STEP_LANE : 0) + (run.phases.ranges.length ? PHASE_LANE : 0) + (run.flags.length ? 20 : 4);
    this.box = make('div', 'live-plot');
    this.canvas = make('canvas');
    this.over = make('canvas', 'live-over');
    this.box.appendChild(this.canvas);
    this.box.appendChild(this.over);
    this.canvas.setAttribute('role', 'img');
    this.over.setAttribute('aria-hidden', 'true');
  }

  Plot.prototype.resize = function (width, ratio) {
    this.cssWidth = width;
    this.ratio = ratio;
    this.plotWidth = Math.max(50, width - LEFT - RIGHT);
    var height = this.lanes + this.height + AXIS;
    this.cssHeight = height;
    [this.canvas, this.over].forEach(function (canvas) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = width + 'px';
      canvas.style.height = height + 'px';
    });
    this.box.style.height = height + 'px';
    this.pixelWidth = Math.round(this.plotWidth * ratio);
    this.pixelHeight = Math.round(this.height * ratio);
    this.image = this.canvas.getContext('2d').createImageData(this.pixelWidth, this.pixelHeight);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.columns = new Int32Array(this.pixelWidth);
    this.solid = new Float64Array(this.pixelWidth);
    this.medians = new Float64Array(this.pixelWidth);
  };

  Plot.prototype.layOut = function (view) {
    var highest = 1, run = this.run;
    this.stepsPerGroup = stepsPerGroup(run, view, this.plotWidth);
    stepColumns(run, view, this.pixelWidth, this.stepsPerGroup).forEach(function (shown, x) {
      var column = shown.column;
      this.columns[x] = column;
      this.solid[x] = shown.lowest;
      this.medians[x] = shown.median;
      if (column >= 0) highest = Math.max(highest, run.totals[column], run.cells[column * run.width + run.width - 1]);
    }, this);
    return highest;
  };

  Plot.prototype.paintBands = function (theme, top, looks) {
    var run = this.run, width = this.pixelWidth, height = this.pixelHeight, pixels = this.pixels;
    var perByte = height / top, surface = packed(channels(theme.surface)), cells = run.cells;
    var reserved = packed(channels(theme.reserved)), edge = packed(channels(theme.reservedEdge));
    var groups = run.width - 1, coarse = this.ratio >= 1.5 ? 14 : 7, thick = this.ratio >= 1.5 ? 2 : 1;
    pixels.fill(surface);
    for (var x = 0; x < width; ++x) {
      var column = this.columns[x];
      if (column < 0) continue;
      var base = column * run.width, sum = 0, y = height, solidTop = Math.round(height - this.solid[x] * perByte);
      for (var g = 0; g < groups; ++g) {
        var bytes = cells[base + g];
        if (bytes <= 0) continue;
        sum += bytes;
        var end = Math.max(0, Math.round(height - sum * perByte));
        if (end >= y) continue;
        var look = looks[g], at = end * width + x, held = look.hatch !== look.plain;
        for (var row = end; row < y; ++row, at += width)
          pixels[at] = row < solidTop ? look.pale : held && (x + row) % coarse < thick ? look.hatch : look.plain;
        if (y - end >= 4) pixels[end * width + x] = look.seam;
        y = end;
      }
      var most = Math.max(0, Math.round(height - cells[base + groups] * perByte));
      for (row = most, at = most * width + x; row < y; ++row, at += width) pixels[at] = row < most + thick ? edge : reserved;
    }
    if (this.stepsPerGroup) this.paintMedians(theme, perByte);
  };
  // A line below the median peaks of the groups, with a rim.
  Plot.prototype.paintMedians = function (theme, perByte) {
    var width = this.pixelWidth, height = this.pixelHeight, thick = this.ratio >= 1.5 ? 2 : 1;
    var ink = packed(channels(theme.ink)), rim = packed(channels(theme.surface)), before = 0;
    for (var x = 0; x < width; ++x) {
      var median = this.medians[x], end = Math.round(height - median * perByte);
      var start = before ? Math.round(height - before * perByte) : end;
      before = median;
      if (!median) continue;
      var from = Math.min(start, end), to = Math.max(start, end) + thick;
      for (var row = Math.max(0, from - thick); row < Math.min(height, to + thick); ++row)
        this.pixels[row * width + x] = row >= from && row < to ? ink : rim;
    }
  };

  Plot.prototype.x = function (place, view) { return LEFT + (place - view.from) / (view.to - view.from) * this.plotWidth; };
  Plot.prototype.y = function (bytes, top) { return this.lanes + this.height * (1 - bytes / top); };
  Plot.prototype.placeAt = function (x, view) { return view.from + (x - LEFT) / this.plotWidth * (view.to - view.from); };

  Plot.prototype.lane = function (context, view, theme, top, height, items, places, lookOf) {
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'center';
    var drawn = -1;
    for (var i = 0; i < items.length; ++i) {
      var left = Math.max(LEFT, this.x(places[2 * i], view)), right = Math.min(LEFT + this.plotWidth, this.x(places[2 * i + 1], view));
      if (right < LEFT || left > LEFT + this.plotWidth || right - drawn < 0.5) continue;
      var look = lookOf(items[i], i);
      context.fillStyle = look.fill;
      context.fillRect(left, top, Math.max(0.5, right - left - (right - left > 4 ? 1 : 0)), height - 2);
      drawn = right;
      if (right - left < 18) continue;
      var room = right - left - 6;
      var text = look.forms.find(function (form) { return context.measureText(form).width <= room; });
      context.fillStyle = look.ink || theme.ink;
      if (text) context.fillText(text, (left + right) / 2, top + height - 6);
    }
    context.textAlign = 'left';
  };
  // Narrow steps: an even strip, with a stroke and the number at every tenth, twentieth, … step.
  Plot.prototype.stepStrip = function (context, view, theme, shown) {
    var places = this.run.stepPlaces, steps = this.run.steps, right = LEFT + this.plotWidth;
    var begin = Math.max(LEFT, this.x(places[2 * shown[0]], view)), end = Math.min(right, this.x(places[2 * shown[1] + 1], view));
    var each = this.plotWidth / (shown[1] - shown[0]), spacing = 1;
    for (var i = 0; spacing * each < 48; ++i) spacing = i % 3 === 1 ? spacing / 2 * 5 : spacing * 2;
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'left';
    context.fillStyle = theme.line;
    context.fillRect(begin, 0, end - begin, STEP_LANE - 2);
    for (var step = shown[0]; step <= shown[1]; ++step) {
      var number = /(\d+)$/.exec(steps[step][0]), x = this.x(places[2 * step], view);
      if (!number || +number[1] % spacing || x < LEFT || x + 4 + context.measureText(number[1]).width > right) continue;
      context.fillStyle = theme.quiet;
      context.fillRect(x, 0, 1, STEP_LANE - 2);
      context.fillStyle = theme.ink;
      context.fillText(number[1], x + 4, STEP_LANE - 6);
    }
  };
  Plot.prototype.paintLanes = function (context, view, theme) {
    var run = this.run, top = 0, shown = stepsIn(run, view.from, view.to);
    var isNarrow = shown && (shown[1] - shown[0]) * NARROWEST_STEP_BAR > this.plotWidth;
    if (isNarrow) this.stepStrip(context, view, theme, shown);
    else if (run.steps.length) {
      this.lane(context, view, theme, top, STEP_LANE, run.steps, run.stepPlaces, function (step, i) {
        return { fill: i % 2 ? theme.line : theme.faint,
          forms: [step[0] + '  ' + bytesText(step[3]), step[0], step[0].replace(/^.*?(\d+)$/, '$1')] };
      });
    }
    if (run.steps.length) top += STEP_LANE;
    if (isNarrow && run.phases.ranges.length) {
      context.fillStyle = theme.faint;
      context.fillRect(LEFT, top, this.plotWidth, PHASE_LANE - 2);
    } else if (run.phases.ranges.length) {
      var names = run.phases.names;
      this.lane(context, view, theme, top, PHASE_LANE, run.phases.ranges, run.phasePlaces, function (phase) {
        var name = names[phase[2]], fill = theme.dark ? name.dark : name.light;
        return { fill: fill, forms: [name.name], ink: inkOn(channels(fill)) };
      });
    }
  };

  Plot.prototype.paintAxes = function (context, view, theme, top) {
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = theme.quiet;
    context.textAlign = 'right';
    var unit = Math.pow(1024, Math.max(0, Math.floor(Math.log(top) / Math.log(1024)))), wanted = top / unit / (this.height / 55);
    var power = Math.pow(10, Math.floor(Math.log10(wanted)));
    var each = [1, 2, 5, 10].map(function (n) { return n * power; }).find(function (n) { return n >= wanted; });
    for (var value = 0; value * unit <= top; value += each) {
      var y = this.y(value * unit, top);
      context.globalAlpha = 0.35;
      context.fillRect(LEFT, Math.round(y), value === 0 ? this.plotWidth : 0, 1);
      context.globalAlpha = 1;
      context.fillText(String(+value.toFixed(3)) + ' ' + UNITS[Math.round(Math.log(unit) / Math.log(1024))], LEFT - 6, y + (value === 0 ? 0 : 4));
    }
    context.textAlign = 'center';
    var base = this.lanes + this.height + 15;
    for (var x = 90; x < this.plotWidth - 30; x += 130) {
      var event = eventAt(this.run, this.placeAt(LEFT + x, view));
      if (event >= 0) context.fillText(countText(event), LEFT + x, base);
    }
    context.textAlign = 'left';
    context.fillText('event', LEFT, base);
  };

  Plot.prototype.paintMarks = function (context, view, theme, top) {
    var run = this.run, bottom = this.lanes + this.height;
    context.font = '11px system-ui, sans-serif';
    if (run.capacity && run.capacity <= top) {
      var y = this.y(run.capacity, top);
      context.strokeStyle = context.fillStyle = theme.danger;
      context.setLineDash([6, 3]);
      context.beginPath(); context.moveTo(LEFT, y); context.lineTo(LEFT + this.plotWidth, y); context.stroke();
      context.setLineDash([]);
      context.fillText(run.capacityText, LEFT + 4, y - 4);
    }
    run.ooms.forEach(function (oom) {
      var x = this.x(placeOf(run, oom[0]), view);
      if (x < LEFT || x > LEFT + this.plotWidth) return;
      context.fillStyle = theme.danger;
      context.fillRect(x, this.lanes, 1.5, this.height);
      if (this.plotWidth < 400) return;
      var text = 'out of memory, ' + bytesText(oom[1]) + ' requested', room = context.measureText(text).width;
      this.plate(context, x - room - 8 < LEFT ? x + 5 : x - room - 5, bottom - 8, text, theme.danger, theme);
    }, this);
    var x = this.x(placeOf(run, Math.max(0, run.peakEvent)), view);
    if (x >= LEFT && x <= LEFT + this.plotWidth) {
      context.fillStyle = theme.ink;
      var peak = this.y(run.peakBytes, top);
      context.beginPath(); context.moveTo(x - 5, peak - 8); context.lineTo(x + 5, peak - 8); context.lineTo(x, peak - 1); context.fill();
    }
    if (this.stepsPerGroup) this.stepsCaption(context, theme);
    this.paintFlags(context, view);
  };

  // The key of the groups in which narrow steps are drawn.
  Plot.prototype.stepsCaption = function (context, theme) {
    var text = '▮ each column: ' + countText(this.stepsPerGroup) + ' of ' + countText(this.run.steps.filter(isWhole).length)
      + ' steps, pale above the lowest peak, ━ median';
    this.plate(context, LEFT + this.plotWidth - context.measureText(text).width - 8, this.lanes + 12, text, theme.quiet, theme);
  };

  Plot.prototype.plate = function (context, x, y, text, color, theme) {
    var width = context.measureText(text).width;
    context.fillStyle = theme.surface;
    context.globalAlpha = 0.88;
    context.fillRect(x - 3, y - 11, width + 6, 15);
    context.globalAlpha = 1;
    context.fillStyle = color;
    context.fillText(text, x, y);
  };

  Plot.prototype.paintFlags = function (context, view) {
    this.flags = [];
    this.run.flags.forEach(function (flag) {
      var x = this.x(placeOf(this.run, Math.max(0, Math.min(this.run.events - 1, flag.first))), view);
      if (x < LEFT - 1 || x > LEFT + this.plotWidth) return;
      var top = this.lanes - 18;
      context.fillStyle = flag.color;
      context.fillRect(x, top, 1.5, this.height + 18);
      if (flag.last > flag.first) {
        var right = Math.min(LEFT + this.plotWidth, this.x(placeOf(this.run, Math.min(this.run.events - 1, flag.last)), view));
        context.fillRect(x, top + 15, right - x, 2);
      }
      context.fillRect(x, top, 16, 15);
      context.fillStyle = '#ffffff';
      context.font = 'bold 11px system-ui, sans-serif';
      context.textAlign = 'center';
      context.fillText(String(flag.number), x + 8, top + 11);
      context.textAlign = 'left';
      this.flags.push({ x: x, y: top, flag: flag });
    }, this);
  };

  // Call site and size inside of every band that has the room: 16 px high over the whole text. The size is that in
  // the middle of the label, or that of the table's moment if the label is over it. What is kept has no size elsewhere,
  // as it would contradict the table.
  Plot.prototype.paintLabels = function (context, top, looks) {
    var run = this.run, width = this.pixelWidth, groups = run.width - 1, perByte = this.height / top, ratio = this.ratio;
    var lower = new Float32Array(width), upper = new Float32Array(width), g, x;
    context.font = '11px system-ui, sans-serif';
    for (g = 0; g < groups; ++g) {
      var best = { from: 0, to: 0 }, from = 0, low = 0, high = Infinity;
      for (x = 0; x < width; ++x) {
        var column = this.columns[x], bytes = column < 0 ? 0 : run.cells[column * run.width + g];
        lower[x] = upper[x];
        upper[x] = lower[x] + bytes * perByte;
        if (Math.min(high, upper[x]) - Math.max(low, lower[x]) < 16) {
          low = 0; high = Infinity; from = x;
          if (upper[x] - lower[x] < 16) { from = x + 1; continue; }
        }
        low = Math.max(low, lower[x]);
        high = Math.min(high, upper[x]);
        if (x + 1 - from > best.to - best.from) best = { from: from, to: x + 1, low: low, high: high };
      }
      if ((best.to - best.from) / ratio > 60) this.label(context, best, g, looks[g], top);
    }
  };
  Plot.prototype.label = function (context, place, g, look, top) {
    var run = this.run, group = run.groups[g], room = (place.to - place.from) / this.ratio - 14;
    var textAt = function (column) {
      var bytes = run.cells[column * run.width + g], size = bytes ? '   ' + bytesText(bytes) : '';
      return [group.label + size + (size && group.held ? ' kept' : ''), group.label + size, group.label]
        .find(function (form) { return context.measureText(form).width <= room; });
    };
    var middle = (place.from + place.to) >> 1, text = textAt(this.columns[middle]);
    if (!text || look.faded || place.high > this.height) return;
    var half = context.measureText(text).width * this.ratio / 2, moment = this.moment, columns = this.columns;
    var isIn = function (from, to) { return moment && columns[from] <= moment.column && moment.column <= columns[to]; };
    var bytesThen = moment ? run.cells[moment.column * run.width + g] : 0;
    if (bytesThen && isIn(Math.floor(middle - half), Math.floor(middle + half))) text = textAt(moment.column) || text;
    else if (bytesThen && group.held && isIn(0, columns.length - 1)
      && bytesThen !== run.cells[columns[middle] * run.width + g]) text = group.label;
    if (context.measureText(text).width > room) return;
    var y = this.lanes + this.height - (place.low + place.high) / 2;
    var x = LEFT + middle / this.ratio - context.measureText(text).width / 2;
    var isPale = this.solid[middle] * this.height / top < (place.low + place.high) / 2;
    var rgb = isPale ? look.paleRgb : look.rgb;
    if (group.held) {
      context.fillStyle = 'rgb(' + rgb.join(',') + ')';
      context.fillRect(x - 3, y - 8, context.measureText(text).width + 6, 15);
    }
    context.fillStyle = inkOn(rgb);
    context.fillText(text, x, y + 4);
  };

  Plot.prototype.paint = function (view, theme, top, looks) {
    var context = this.canvas.getContext('2d');
    this.paintBands(theme, top, looks);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = theme.surface;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.putImageData(this.image, Math.round(LEFT * this.ratio), Math.round(this.lanes * this.ratio));
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.paintLanes(context, view, theme);
    this.paintAxes(context, view, theme, top);
    this.paintLabels(context, top, looks);
    this.paintMarks(context, view, theme, top);
    this.top = top;
  };

  // What is under a point: the column's event, and the group whose band is there.
  Plot.prototype.at = function (x, y) {
    var pixel = Math.floor((x - LEFT) * this.ratio);
    if (pixel < 0 || pixel >= this.pixelWidth || this.columns[pixel] < 0) return null;
    var run = this.run, column = this.columns[pixel], sum = 0, bytes = (1 - (y - this.lanes) / this.height) * this.top;
    var found = { run: run, column: column, event: run.shown[column], group: -1 };
    if (bytes >= 0)
      for (var g = 0; g < run.width - 1; ++g) {
        sum += run.cells[column * run.width + g];
        if (bytes < sum) { found.group = g; break; }
      }
    return found;
  };

  // ---- the whole: one run or two on one axis -------------------------------------------------------------------

  function Timeline(figure, runs) {
    this.runs = runs;
    this.pinned = null;
    this.current = null;
    this.chosen = null;
    this.fitsHeight = false;
    this.sort = { key: 'after', ascending: false };
    runs.forEach(function (run, index) {
      decode(run);
      run.role = runs.length > 1 ? (index ? 'after' : 'before') : '';
      run.groups.forEach(function (group) {
        group.id = (group.key || group.label) + '\n' + group.category + '\n' + group.held;
        group.categoryText = group.category + (group.guess ? ' (guess)' : '');
      });
    });
    var ends = runs.map(function (run) { return run.stretches[run.stretches.length - 1][3]; });
    var begins = runs.map(function (run) { return run.stretches[0][2]; });
    this.begin = Math.min.apply(null, begins);
    this.end = Math.max.apply(null, ends);
    this.view = { from: this.begin, to: this.end };
    this.tallest = Math.max.apply(null, runs.map(function (run) {
      var top = Math.max(run.peakBytes, run.reservedPeak, 1);
      return 1.06 * (run.capacity && run.capacity < 1.5 * top ? Math.max(top, run.capacity) : top);
    }));
    this.build(figure);
    this.listen();
    this.showMoment();
    this.resize();
  }

  Timeline.prototype.build = function (figure) {
    this.root = make('div', 'live');
    this.bar = make('div', 'live-bar');
    this.button('Fit', 'Show all (0)', function () { this.show(this.begin, this.end); });
    this.button('+', 'Zoom in (+)', function () { this.zoom(0.5, this.middle()); });
    this.button('−', 'Zoom out (-)', function () { this.zoom(2, this.middle()); });
    if (this.runs.some(function (run) { return run.steps.length > 1; })) {
      this.button('‹ step', 'Step before ([)', function () { this.goToStep(-1); });
      this.button('step ›', 'Next step (])', function () { this.goToStep(1); });
    }
    this.button('Peak', 'Pin the peak (P)', this.pinPeak);
    if (this.runs.some(function (run) { return run.ooms.length; })) this.button('Out of memory', 'Pin the failure (O)', this.pinFailure);
    this.heightButton = this.button('Fit height', 'Fit the height to the view (F)', this.toggleHeight);
    this.heightButton.setAttribute('aria-pressed', 'false');
    this.search = make('input');
    this.search.type = 'search';
    this.search.placeholder = 'Search call sites, frames, categories ( / )';
    this.search.setAttribute('aria-label', 'Search call sites, frames and categories');
    this.found = make('p', 'live-found');
    this.found.setAttribute('aria-live', 'polite');
    this.bar.appendChild(this.search);
    this.root.appendChild(this.bar);
    this.root.appendChild(this.found);
    this.stage = make('div', 'live-stage');
    this.stage.tabIndex = 0;
    this.stage.setAttribute('role', 'group');
    this.stage.setAttribute('aria-label', 'Timeline. Arrows pan, plus and minus zoom, 0 shows all, brackets go to steps, P pins the peak.');
    this.plots = this.runs.map(function (run) {
      var name = make('p', 'live-name', (run.role ? run.role + ': ' : '') + run.name + ' · peak ' + bytesText(run.peakBytes) + ' ' + run.quantity);
      var plot = new Plot(run, this.runs.length > 1 ? PAIR_PLOT : PLOT, this);
      plot.canvas.setAttribute('aria-label', 'Memory of ' + run.name + ' over its events, at most ' + bytesText(run.peakBytes) + ' ' + run.quantity + '; the table below has the figures');
      this.stage.appendChild(name);
      this.stage.appendChild(plot.box);
      return plot;
    }, this);
    this.strip = make('canvas', 'live-strip');
    this.strip.setAttribute('aria-hidden', 'true');
    this.stage.appendChild(this.strip);
    this.root.appendChild(this.stage);
    this.tip = make('div', 'live-tip');
    this.tip.hidden = true;
    this.root.appendChild(this.tip);
    this.limits = make('p', 'quiet live-limits', this.limitsText());
    this.root.appendChild(this.limits);
    this.below = make('div', 'live-below');
    this.table = make('div', 'scroll');
    this.table.tabIndex = 0;
    this.card = make('div', 'live-card');
    this.below.appendChild(this.table);
    this.below.appendChild(this.card);
    this.root.appendChild(this.below);
    figure.insertBefore(this.root, figure.firstChild);
    figure.classList.add('is-live');
  };

  Timeline.prototype.button = function (text, tip, act) {
    var button = make('button', 'live-button', text);
    button.type = 'button';
    button.title = tip;
    button.addEventListener('click', act.bind(this));
    this.bar.appendChild(button);
    return button;
  };

  // What is not in the page; the figures are exact all the same.
  Timeline.prototype.limitsText = function () {
    return this.runs.map(function (run) {
      var sites = 0, bytes = 0;
      run.groups.forEach(function (group) { if (!group.key) { sites += group.sites; bytes += group.peak; } });
      var columns = run.columns === run.events ? 'every event is shown'
        : countText(run.columns) + ' columns of about ' + countText(Math.round(run.events / run.columns))
          + ' events, each at its exact highest moment';
      var rest = sites ? '; ' + counted(sites, 'small call site is', 'small call sites are') + ' grouped by category (' + bytesText(bytes) + ' at the peak)' : '';
      var text = (run.role ? run.role + ': ' : '') + columns + rest + '.';
      return text.charAt(0).toUpperCase() + text.slice(1);
    }).join(' ') + (this.runs.some(function (run) { return run.groups.some(function (group) { return group.held; }); })
      ? ' Hatched areas were kept from earlier steps.' : '') + ' Figures in the picture are those of the table. Click to pin; then the wheel zooms (or Ctrl and the wheel at any time). Drag to pan, '
      + 'Shift-drag to select a range. Keys: arrows + − 0 [ ] P O F / Esc.';
  };

  Timeline.prototype.resize = function () {
    var width = this.stage.clientWidth, ratio = Math.min(2, window.devicePixelRatio || 1);
    if (!width || (this.width === width && this.ratio === ratio)) return;
    this.width = width;
    this.ratio = ratio;
    this.plots.forEach(function (plot) { plot.resize(width, ratio); });
    this.strip.width = Math.round(width * ratio);
    this.strip.height = Math.round(28 * ratio);
    this.strip.style.width = width + 'px';
    this.outline = null;
    this.repaint();
  };

  Timeline.prototype.repaint = function () {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(function () {
      this.isWaiting = false;
      this.paint();
    }.bind(this));
  };

  Timeline.prototype.paint = function () {
    if (!this.width) return;
    var theme = this.theme = this.theme || themeOf(), view = this.view, highest = 0;
    this.looks = this.looks || this.runs.map(function (run) { return pixelsOf(run, theme, this.chosen); }, this);
    this.plots.forEach(function (plot) { highest = Math.max(highest, plot.layOut(view)); });
    var top = this.fitsHeight ? 1.06 * highest : this.tallest;
    this.plots.forEach(function (plot, index) {
      plot.moment = this.moment(plot.run);
      plot.paint(view, theme, top, this.looks[index]);
    }, this);
    this.paintStrip(theme);
    this.paintOver();
  };

  Timeline.prototype.paintStrip = function (theme) {
    var context = this.strip.getContext('2d'), ratio = this.ratio, height = 28, width = this.width - LEFT - RIGHT;
    this.outline = this.outline || this.makeOutline(theme, Math.max(1, Math.round(width)), height);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.strip.width, this.strip.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.drawImage(this.outline, LEFT, 0, width, height);
    var scale = width / (this.end - this.begin);
    context.strokeStyle = theme.accent;
    context.lineWidth = 2;
    context.strokeRect(LEFT + (this.view.from - this.begin) * scale + 1, 1, Math.max(3, (this.view.to - this.view.from) * scale - 2), height - 2);
  };

  Timeline.prototype.makeOutline = function (theme, width, height) {
    var canvas = make('canvas'), whole = { from: this.begin, to: this.end };
    canvas.width = width;
    canvas.height = height;
    var context = canvas.getContext('2d');
    context.fillStyle = theme.faint;
    context.fillRect(0, 0, width, height);
    context.globalAlpha = 0.45;
    this.runs.forEach(function (run, index) {
      context.fillStyle = index ? theme.accent : theme.quiet;
      stepColumns(run, whole, width, stepsPerGroup(run, whole, width)).forEach(function (shown, x) {
        var high = shown.column < 0 ? 0 : run.totals[shown.column] / this.tallest * height;
        context.fillRect(x, height - high, 1, high);
      }, this);
    }, this);
    return canvas;
  };

  // Cursor, pin and range: over the plots, which need not be painted again.
  Timeline.prototype.paintOver = function () {
    this.plots.forEach(function (plot) {
      var context = plot.over.getContext('2d'), theme = this.theme, moment = this.moment(plot.run);
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      context.clearRect(0, 0, this.width, plot.cssHeight);
      if (this.range) {
        var a = plot.x(this.range.from, this.view), b = plot.x(this.range.to, this.view);
        context.fillStyle = theme.accent;
        context.globalAlpha = 0.18;
        context.fillRect(Math.min(a, b), plot.lanes, Math.abs(b - a), plot.height);
        context.globalAlpha = 1;
      }
      var at = moment && this.pinned ? plot.x(placeOf(plot.run, moment.event), this.view) : -1;
      if (at >= LEFT && at <= LEFT + plot.plotWidth) {
        context.fillStyle = theme.surface;
        context.fillRect(at - 2, plot.lanes, 5, plot.height);
        context.fillStyle = theme.accent;
        context.fillRect(at - 0.5, plot.lanes, 2, plot.height);
      }
      if (this.hover && this.hover.plot === plot) {
        context.fillStyle = theme.ink;
        context.globalAlpha = 0.5;
        context.fillRect(this.hover.x, plot.lanes, 1, plot.height);
        context.globalAlpha = 1;
      }
    }, this);
  };

  // ---- what is shown -------------------------------------------------------------------------------------------

  Timeline.prototype.middle = function () { return (this.view.from + this.view.to) / 2; };
  Timeline.prototype.show = function (from, to) {
    var all = this.end - this.begin, length = Math.max(Math.min(all, to - from), Math.min(all, 8));
    from = Math.max(this.begin, Math.min(this.end - length, from));
    this.view = { from: from, to: from + length };
    if (this.saysStep) this.say('');
    this.hideTip();
    this.repaint();
  };
  Timeline.prototype.zoom = function (factor, about) {
    var length = (this.view.to - this.view.from) * factor;
    var share = (about - this.view.from) / (this.view.to - this.view.from);
    this.show(about - share * length, about + (1 - share) * length);
  };
  Timeline.prototype.pan = function (share) {
    var by = share * (this.view.to - this.view.from);
    this.show(this.view.from + by, this.view.to + by);
  };
  Timeline.prototype.toggleHeight = function () {
    this.fitsHeight = !this.fitsHeight;
    this.heightButton.setAttribute('aria-pressed', String(this.fitsHeight));
    this.repaint();
  };
  // The run that the step keys move in: the one that was clicked last, else the one with the most steps.
  Timeline.prototype.steppedRun = function () {
    if (this.current && this.current.steps.length) return this.current;
    return this.runs.reduce(function (a, b) { return b.steps.length > a.steps.length ? b : a; });
  };
  // The step to move on from: that of a pin in view, else the one in the middle; null if all steps are in view.
  Timeline.prototype.presentStep = function (run) {
    var moment = this.pinned ? this.moment(run) : null, place = moment ? placeOf(run, moment.event) : -1;
    if (moment && place >= this.view.from && place <= this.view.to) return stepAt(run, moment.event);
    var isAll = this.view.to - this.view.from > 0.98 * (this.end - this.begin);
    return isAll ? null : stepAt(run, Math.max(0, eventFrom(run, this.middle()) - 1));
  };
  Timeline.prototype.goToStep = function (by) {
    var run = this.steppedRun(), last = run.steps.length - 1;
    if (last < 0) return;
    var now = this.presentStep(run), next = now === null ? (by > 0 ? 0 : last) : now + by;
    this.showStep(run, Math.max(0, Math.min(last, next)));
  };
  Timeline.prototype.showStep = function (run, index) {
    var step = run.steps[index], from = placeOf(run, step[1]), to = placeOf(run, step[2] - 1) + 1;
    this.current = run;
    this.show(from - 0.03 * (to - from), to + 0.03 * (to - from));
    this.say((run.role ? run.role + ', ' : '') + step[0] + ': peak ' + bytesText(step[3]) + ' after event ' + countText(step[4]) + ', '
      + bytesText(step[5]) + ' at its end');
    this.saysStep = true;
  };
  Timeline.prototype.say = function (text) {
    this.found.textContent = text;
    this.saysStep = false;
  };

  // The moment that is told of a run: the pinned one, the same place in the other run, else its peak.
  Timeline.prototype.moment = function (run) {
    if (!this.pinned) return run.peakEvent < 0 ? null : { column: columnOf(run, run.peakEvent), event: run.peakEvent, isPeak: true };
    if (this.pinned.events) {
      var own = this.pinned.events[this.runs.indexOf(run)];
      return own === undefined || own < 0 ? null : { column: columnOf(run, own), event: run.shown[columnOf(run, own)] };
    }
    if (this.pinned.run === run) return { column: this.pinned.column, event: this.pinned.event };
    var event = eventAt(run, placeOf(this.pinned.run, this.pinned.event));
    if (event < 0) return null;
    var column = columnOf(run, event);
    return { column: column, event: run.shown[column] };
  };
  Timeline.prototype.pin = function (what) {
    this.pinned = what;
    this.showMoment();
    this.repaint();
  };
  Timeline.prototype.pinPeak = function () {
    this.pin({ run: this.runs[0], group: -1, events: this.runs.map(function (run) { return run.peakEvent; }) });
  };
  Timeline.prototype.pinFailure = function () {
    this.pin({ run: this.runs[0], group: -1, events: this.runs.map(function (run) {
      return run.ooms.length ? run.ooms[run.ooms.length - 1][0] : -1;
    }) });
  };
  Timeline.prototype.choose = function (id) {
    this.chosen = this.chosen === id ? null : id;
    this.looks = null;
    this.showMoment();
    this.repaint();
  };

  // Rows of both runs by call site, category and whether it is held.
  Timeline.prototype.rows = function (moments) {
    var byId = new Map();
    this.runs.forEach(function (run, index) {
      if (!moments[index]) return;
      run.groups.forEach(function (group, rank) {
        var bytes = run.cells[moments[index].column * run.width + rank];
        if (!bytes) return;
        var row = byId.get(group.id) || { id: group.id, group: group, run: run, rank: rank, bytes: this.runs.map(function () { return 0; }) };
        row.bytes[index] += bytes;
        byId.set(group.id, row);
      }, this);
    }, this);
    return Array.from(byId.values());
  };

  Timeline.prototype.columnsOfTable = function () {
    var columns = [
      { key: 'label', title: 'Call site', text: function (row) { return row.group.label; } },
      { key: 'category', title: 'Category', text: function (row) { return row.group.categoryText + (row.group.held ? ', kept' : ''); } }
    ];
    var isPair = this.runs.length > 1;
    if (isPair) columns.push({ key: 'before', title: 'Before', bytes: function (row) { return row.bytes[0]; } });
    columns.push({ key: 'after', title: isPair ? 'After' : 'Bytes', bytes: function (row) { return row.bytes[row.bytes.length - 1]; } });
    if (isPair) columns.push({ key: 'delta', title: 'Difference', isDelta: true, bytes: function (row) { return row.bytes[1] - row.bytes[0]; } });
    return columns;
  };

  Timeline.prototype.showMoment = function () {
    var moments = this.runs.map(this.moment, this), columns = this.columnsOfTable(), rows = this.rows(moments);
    var by = columns.find(function (column) { return column.key === this.sort.key; }, this), sign = this.sort.ascending ? 1 : -1;
    // Groups of several call sites have no key; they are last whichever way the others are sorted.
    rows.sort(function (a, b) {
      return !a.group.key - !b.group.key || sign * (by.bytes ? by.bytes(a) - by.bytes(b) : by.text(a).localeCompare(by.text(b), 'en', { numeric: true }));
    });
    var table = make('table', this.runs.length > 1 ? 'live-rows is-pair' : 'live-rows'), caption = make('caption', '', this.momentText(moments));
    table.appendChild(caption);
    table.appendChild(this.headRow(columns));
    var body = make('tbody');
    rows.forEach(function (row) { body.appendChild(this.bodyRow(row, columns)); }, this);
    table.appendChild(body);
    table.appendChild(this.totalRow(rows, columns));
    this.table.textContent = '';
    this.table.appendChild(table);
    this.showCard();
  };

  Timeline.prototype.momentText = function (moments) {
    var texts = this.runs.map(function (run, index) {
      var moment = moments[index], who = run.role ? run.role + ' ' : '';
      return moment ? who + momentText(run, moment.event) : who + 'has nothing here';
    });
    return (this.pinned ? 'In use at ' : 'In use at the peak: ') + texts.join(' · ');
  };

  Timeline.prototype.headRow = function (columns) {
    var head = make('thead'), line = make('tr');
    columns.forEach(function (column) {
      var cell = make('th', column.bytes ? 'number' : column.key === 'category' ? 'text category' : 'text'), button = make('button', '', column.title);
      cell.scope = 'col';
      if (column.key === this.sort.key) cell.setAttribute('aria-sort', this.sort.ascending ? 'ascending' : 'descending');
      button.type = 'button';
      button.addEventListener('click', function () {
        this.sort = { key: column.key, ascending: this.sort.key === column.key ? !this.sort.ascending : !column.bytes };
        this.showMoment();
      }.bind(this));
      cell.appendChild(button);
      line.appendChild(cell);
    }, this);
    head.appendChild(line);
    return head;
  };

  function bytesCell(bytes, isDelta) {
    var cell = make('td', 'number', isDelta ? deltaText(bytes) : bytesText(bytes));
    if (isDelta && bytes) cell.classList.add(bytes > 0 ? 'grew' : 'shrank');
    cell.title = countText(bytes) + ' B';
    cell.setAttribute('data-value', String(bytes));
    return cell;
  }

  Timeline.prototype.bodyRow = function (row, columns) {
    var line = make('tr', row.id === this.chosen ? 'is-chosen' : ''), group = row.group;
    line.setAttribute('data-key', group.key);
    line.tabIndex = 0;
    line.addEventListener('click', this.choose.bind(this, row.id));
    line.addEventListener('keydown', function (event) {
      if (event.key === 'Enter') this.choose(row.id);
    }.bind(this));
    columns.forEach(function (column, index) {
      if (column.bytes) { line.appendChild(bytesCell(column.bytes(row), column.isDelta)); return; }
      var cell = make(index ? 'td' : 'th', index ? 'text category' : 'text'), dark = this.theme ? this.theme.dark : themeOf().dark;
      if (!index) {
        var swatch = make('span', group.held ? 'live-swatch is-held' : 'live-swatch');
        swatch.style.background = dark ? group.dark : group.light;
        cell.appendChild(swatch);
      }
      cell.appendChild(document.createTextNode(column.text(row)));
      line.appendChild(cell);
    }, this);
    return line;
  };

  Timeline.prototype.totalRow = function (rows, columns) {
    var foot = make('tfoot'), line = make('tr');
    columns.forEach(function (column, index) {
      if (column.bytes)
        line.appendChild(bytesCell(rows.reduce(function (sum, row) { return sum + column.bytes(row); }, 0), column.isDelta));
      else line.appendChild(make(index ? 'td' : 'th', index ? 'text category' : 'text', index ? '' : 'total'));
    });
    foot.appendChild(line);
    return foot;
  };

  // The pinned band, or the chosen row: what it is and where it was allocated.
  Timeline.prototype.showCard = function () {
    var pinned = this.pinned, run = null, rank = -1;
    if (this.chosen) {
      this.runs.forEach(function (each) {
        var at = each.groups.findIndex(function (group) { return group.id === this.chosen; }, this);
        if (at >= 0) { run = each; rank = at; }
      }, this);
    } else if (pinned && pinned.group >= 0) { run = pinned.run; rank = pinned.group; }
    this.card.textContent = '';
    this.card.hidden = !run;
    if (!run) return;
    var group = run.groups[rank], moment = this.moment(run);
    this.card.appendChild(make('h4', '', group.label));
    var bytes = moment ? run.cells[moment.column * run.width + rank] : 0;
    this.card.appendChild(make('p', 'live-big', bytesText(bytes)));
    this.card.appendChild(make('p', 'quiet', (moment ? momentText(run, moment.event) : '') + ' · ' + group.categoryText
      + (group.held ? ', kept from earlier steps' : '') + ' · ' + bytesText(group.peak) + ' at the peak'));
    this.card.appendChild(this.stackOf(group, 20));
    var close = make('button', 'live-button', 'Close');
    close.type = 'button';
    close.addEventListener('click', this.clear.bind(this));
    this.card.appendChild(close);
  };

  Timeline.prototype.stackOf = function (group, most) {
    var list = make('ol', 'live-stack');
    group.stack.slice(0, most).forEach(function (frame) { list.appendChild(make('li', '', frame)); });
    if (!group.stack.length) list.appendChild(make('li', '', group.key ? group.key : 'several call sites'));
    return list;
  };

  Timeline.prototype.clear = function () {
    this.chosen = null;
    this.pinned = null;
    this.looks = null;
    this.showMoment();
    this.repaint();
  };

  Timeline.prototype.find = function () {
    var words = this.search.value.trim().toLowerCase(), groups = 0, all = 0, sums = [];
    this.looks = null;
    this.runs.forEach(function (run) {
      run.matches = words ? run.words.map(function (text) { return text.indexOf(words) >= 0; }) : null;
      var moment = this.moment(run), bytes = 0;
      all += run.groups.length;
      (run.matches || []).forEach(function (isMatch, rank) {
        if (!isMatch) return;
        ++groups;
        if (moment) bytes += run.cells[moment.column * run.width + rank];
      });
      sums.push((run.role ? run.role + ' ' : '') + bytesText(bytes));
    }, this);
    this.say(words ? countText(groups) + ' of ' + counted(all, 'group', 'groups') + ': ' + sums.join(', ')
      + (this.pinned ? ' at the pinned moment' : ' at the peak') : '');
    this.repaint();
  };

  // ---- mouse and keys --------------------------------------------------------------------------------------------

  Timeline.prototype.listen = function () {
    this.search.addEventListener('input', this.find.bind(this));
    this.plots.forEach(this.listenTo, this);
    this.listenToStrip();
    this.root.addEventListener('keydown', this.key.bind(this));
    this.stage.addEventListener('blur', function () { this.hideTip(); }.bind(this));
    if (window.ResizeObserver) new ResizeObserver(this.resize.bind(this)).observe(this.stage);
    window.addEventListener('resize', this.resize.bind(this));
    var again = function () { this.outline = this.theme = this.looks = null; this.showMoment(); this.repaint(); }.bind(this);
    new MutationObserver(again).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  };

  Timeline.prototype.listenTo = function (plot) {
    var over = plot.over, drag = null, self = this;
    function place(event) {
      var box = over.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    }
    over.addEventListener('pointerdown', function (event) {
      if (event.button !== 0) return;
      var at = place(event);
      drag = { x: at.x, from: self.view.from, to: self.view.to, moved: false, isRange: event.shiftKey, begin: plot.placeAt(at.x, self.view) };
      over.setPointerCapture(event.pointerId);
    });
    over.addEventListener('pointermove', function (event) {
      var at = place(event);
      if (!drag) { self.point(plot, at, event); return; }
      if (Math.abs(at.x - drag.x) > 3) drag.moved = true;
      if (!drag.moved) return;
      self.hideTip();
      if (drag.isRange) {
        self.range = { from: drag.begin, to: plot.placeAt(at.x, self.view) };
        self.paintOver();
      } else {
        var by = (drag.x - at.x) / plot.plotWidth * (drag.to - drag.from);
        self.show(drag.from + by, drag.to + by);
      }
    });
    over.addEventListener('pointerup', function (event) {
      var was = drag;
      drag = null;
      if (!was) return;
      self.stage.focus({ preventScroll: true });
      if (was.moved && was.isRange && self.range) {
        var range = self.range;
        self.range = null;
        self.show(Math.min(range.from, range.to), Math.max(range.from, range.to));
      } else if (!was.moved) self.click(plot, place(event));
    });
    over.addEventListener('pointercancel', function () { drag = null; });
    over.addEventListener('dblclick', function (event) {
      var at = place(event);
      if (at.y > plot.lanes) self.show(self.begin, self.end);
    });
    over.addEventListener('pointerleave', function () { self.hideTip(); });
    over.addEventListener('wheel', function (event) { self.wheel(plot, place(event), event); }, { passive: false });
  };

  Timeline.prototype.wheel = function (plot, at, event) {
    var isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!isSideways && !event.ctrlKey && !event.metaKey && document.activeElement !== this.stage) return;
    event.preventDefault();
    var pixels = event.deltaMode === 1 ? 16 : 1;
    if (isSideways) this.pan((event.deltaX || event.deltaY) * pixels / plot.plotWidth);
    else this.zoom(Math.pow(1.0018, event.deltaY * pixels), plot.placeAt(at.x, this.view));
    this.hideTip();
  };

  Timeline.prototype.listenToStrip = function () {
    var self = this, isDown = false;
    function move(event) {
      var box = self.strip.getBoundingClientRect(), width = self.width - LEFT - RIGHT;
      var at = self.begin + (event.clientX - box.left - LEFT) / width * (self.end - self.begin), half = (self.view.to - self.view.from) / 2;
      self.show(at - half, at + half);
    }
    this.strip.addEventListener('pointerdown', function (event) { isDown = true; self.strip.setPointerCapture(event.pointerId); move(event); });
    this.strip.addEventListener('pointermove', function (event) { if (isDown) move(event); });
    this.strip.addEventListener('pointerup', function () { isDown = false; });
  };

  Timeline.prototype.flagAt = function (plot, at) {
    return (plot.flags || []).find(function (flag) { return at.x >= flag.x - 2 && at.x <= flag.x + 18 && at.y >= flag.y && at.y <= flag.y + 16; });
  };

  Timeline.prototype.click = function (plot, at) {
    var flag = this.flagAt(plot, at), found = plot.at(at.x, at.y);
    if (flag) {
      var note = document.getElementById('note-' + flag.flag.number);
      if (note) note.scrollIntoView({ behavior: 'smooth', block: 'center' });
      return;
    }
    if (!found) return;
    if (at.y < STEP_LANE && plot.run.steps.length) {
      var step = stepAt(plot.run, eventAt(plot.run, plot.placeAt(at.x, this.view)));
      if (step >= 0) this.showStep(plot.run, step);
      return;
    }
    this.chosen = null;
    this.looks = null;
    this.current = plot.run;
    this.pin(this.pinned && this.pinned.run === found.run && this.pinned.event === found.event && this.pinned.group === found.group ? null : found);
    this.repaint();
  };

  Timeline.prototype.point = function (plot, at, event) {
    var found = plot.at(at.x, at.y), flag = this.flagAt(plot, at);
    this.hover = found ? { plot: plot, x: at.x } : null;
    this.paintOver();
    this.tip.textContent = '';
    if (flag) this.tip.appendChild(make('b', '', flag.flag.number + ' · ' + flag.flag.title));
    else if (found) this.fillTip(found);
    this.tip.hidden = !flag && !found;
    if (this.tip.hidden) return;
    var x = event.clientX + 16, y = event.clientY + 18;
    if (x + this.tip.offsetWidth > window.innerWidth - 8) x = event.clientX - this.tip.offsetWidth - 12;
    if (y + this.tip.offsetHeight > window.innerHeight - 8) y = event.clientY - this.tip.offsetHeight - 12;
    this.tip.style.left = Math.max(4, x) + 'px';
    this.tip.style.top = Math.max(4, y) + 'px';
  };

  Timeline.prototype.fillTip = function (found) {
    var run = found.run, group = run.groups[found.group];
    if (group) {
      this.tip.appendChild(make('b', '', group.label));
      this.tip.appendChild(make('div', '', bytesText(run.cells[found.column * run.width + found.group]) + ' · ' + group.categoryText
        + (group.held ? ', kept from earlier steps' : '')));
      this.tip.appendChild(this.stackOf(group, 6));
    }
    this.tip.appendChild(make('div', 'quiet', bytesText(run.totals[found.column]) + ' in total after ' + momentText(run, found.event)
      + (run.reservedPeak ? ' · ' + bytesText(run.cells[found.column * run.width + run.width - 1]) + ' reserved' : '')));
  };
  Timeline.prototype.hideTip = function () {
    this.tip.hidden = true;
    if (!this.hover) return;
    this.hover = null;
    this.paintOver();
  };

  Timeline.prototype.key = function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target === this.search) {
      if (event.key === 'Escape') { this.search.value = ''; this.find(); this.stage.focus({ preventScroll: true }); event.preventDefault(); }
      return;
    }
    var acts = {
      ArrowLeft: function () { this.pan(-0.2); }, ArrowRight: function () { this.pan(0.2); },
      '+': function () { this.zoom(0.5, this.middle()); }, '=': function () { this.zoom(0.5, this.middle()); },
      '-': function () { this.zoom(2, this.middle()); }, '0': function () { this.show(this.begin, this.end); },
      Home: function () { this.show(this.begin, this.begin + this.view.to - this.view.from); },
      End: function () { this.show(this.end - this.view.to + this.view.from, this.end); },
      '[': function () { this.goToStep(-1); }, ']': function () { this.goToStep(1); },
      p: this.pinPeak, P: this.pinPeak, o: this.pinFailure, O: this.pinFailure, f: this.toggleHeight, F: this.toggleHeight,
      '/': function () { this.search.focus(); this.search.select(); }, Escape: this.clear
    };
    if (!acts[event.key]) return;
    acts[event.key].call(this);
    event.preventDefault();
  };

  Array.prototype.forEach.call(document.querySelectorAll('figure.timeline'), function (figure) {
    var data = figure.querySelector('.timeline-data');
    if (!data || !window.requestAnimationFrame) return;
    new Timeline(figure, JSON.parse(data.textContent));
  });
})();
