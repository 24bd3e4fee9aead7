// What a report can do beyond being read: tables sort, shapes name themselves at once, light or dark.
(function () {
  'use strict';

  function valueOf(row, column) {
    var cell = row.cells[column];
    if (!cell) return null;
    var raw = cell.getAttribute('data-value');
    if (raw !== null) return BigInt(raw);
    var text = cell.textContent;
    return text === '–' ? null : text;
  }

  // Nothing goes last, whichever way the others go; numbers before texts.
  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
    if (typeof a === 'bigint') return a < b ? -sign : a > b ? sign : 0;
    return sign * a.localeCompare(b, 'en', { numeric: true });
  }

  function sortBy(table, header, column) {
    var isNumber = header.classList.contains('number');
    var was = header.getAttribute('aria-sort');
    var isAscending = was === null ? !isNumber : was === 'descending';
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell) { cell.removeAttribute('aria-sort'); });
    header.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
    var body = table.tBodies[0];
    var rows = Array.prototype.map.call(body.rows, function (row) { return { row: row, isRest: row.classList.contains('rest'), value: valueOf(row, column) }; });
    // The row of the others sums up what is not listed, so it is no rival of the rows.
    rows.sort(function (a, b) { return a.isRest - b.isRest || compare(a.value, b.value, isAscending ? 1 : -1); });
    rows.forEach(function (item) { body.appendChild(item.row); });
  }

  function makeSortable(table) {
    if (!table.tHead || !table.tBodies.length || table.tBodies[0].rows.length < 2) return;
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (header, column) {
      var button = document.createElement('button');
      button.type = 'button';
      button.textContent = header.textContent;
      if (!header.textContent) button.setAttribute('aria-label', 'Sort by the name of the row');
      button.addEventListener('click', function () { sortBy(table, header, column); });
      header.textContent = '';
      header.appendChild(button);
    });
  }

  // The browser's own tooltip comes late and hides lines: titles of shapes are taken over when first pointed at.
  function addTips() {
    var tip = document.createElement('div');
    var texts = new WeakMap();
    tip.className = 'tip';
    tip.hidden = true;
    tip.setAttribute('aria-hidden', 'true');
    document.body.appendChild(tip);

    function textOf(shape) {
      var title = Array.prototype.find.call(shape.children, function (child) { return child.localName === 'title'; });
      if (title) {
        texts.set(shape, title.textContent);
        title.remove();
      }
      return texts.get(shape);
    }
    function place(event) {
      var x = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
      var y = event.clientY + 18;
      if (y + tip.offsetHeight > window.innerHeight) y = event.clientY - tip.offsetHeight - 10;
      tip.style.left = Math.max(8, x) + 'px';
      tip.style.top = Math.max(8, y) + 'px';
    }
    function show(event) {
      var isShape = event.target.ownerSVGElement;
      var text = isShape ? textOf(event.target) : undefined;
      tip.hidden = !text;
      if (!text) return;
      tip.textContent = text;
      place(event);
    }
    Array.prototype.forEach.call(document.querySelectorAll('.drawing svg'), function (svg) {
      svg.setAttribute('aria-label', textOf(svg) || '');
      svg.addEventListener('pointerover', show);
      svg.addEventListener('pointermove', function (event) { if (!tip.hidden) place(event); });
      svg.addEventListener('pointerleave', function () { tip.hidden = true; });
    });
    window.addEventListener('scroll', function () { tip.hidden = true; }, { passive: true });
  }

  function addThemeSwitch() {
    var root = document.documentElement;
    var system = window.matchMedia('(prefers-color-scheme: dark)');
    var button = document.createElement('button');
    function isDark() { return root.dataset.theme ? root.dataset.theme === 'dark' : system.matches; }
    function name() { button.textContent = isDark() ? 'Light' : 'Dark'; }
    button.type = 'button';
    button.className = 'theme';
    button.title = 'Switch between light and dark';
    button.addEventListener('click', function () {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      name();
    });
    system.addEventListener('change', name);
    name();
    document.body.insertBefore(button, document.body.firstChild);
  }

  Array.prototype.forEach.call(document.querySelectorAll('table.sortable'), makeSortable);
  addTips();
  addThemeSwitch();
})();
