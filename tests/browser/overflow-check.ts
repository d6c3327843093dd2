import type { Page } from 'playwright-core';

/**
 * Returns everything that does not fit, such as a page or overlay that scrolls sideways, or a button with a truncated
 * label.
 */
export function misfits(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const called = (node: Element): string =>
      `${node.nodeName.toLowerCase()}.${[...node.classList].slice(0, 3).join('.')} "${(node.textContent ?? '').trim().slice(0, 40)}"`;
    const shown = (node: Element): boolean => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide on ${clientWidth}`);
    for (const over of document.querySelectorAll(
      '[role=dialog], [role=alertdialog], [role=menu], .drawer, .drawer .body',
    )) {
      if (shown(over) && over.scrollWidth > over.clientWidth + 1)
        found.push(`${called(over)} is ${over.scrollWidth} wide in ${over.clientWidth}`);
    }
    const labels = 'button, a.btn, [role=menuitem], [role=menuitemradio], .tag, .st, h1, h2, h3, label, legend';
    for (const label of document.querySelectorAll(labels)) {
      if (!shown(label) || label.closest('.vh') !== null) continue;
      if (
        label.scrollWidth > label.clientWidth + 1 &&
        label.clientWidth > 0 &&
        getComputedStyle(label).display !== 'inline'
      )
        found.push(`${called(label)} is cut off: ${label.scrollWidth} in ${label.clientWidth}`);
      const { left, right, width } = label.getBoundingClientRect();
      if (
        width > 1 &&
        (left < -1 || right > clientWidth + 1) &&
        label.closest('pre, .tablebox, table, .skip') === null &&
        !label.matches('.skip')
      )
        found.push(`${called(label)} stands out of the page: ${Math.round(left)} to ${Math.round(right)}`);
    }
    return found;
  });
}
