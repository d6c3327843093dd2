const TYPED_IN = 'input, textarea, select, [contenteditable="true"]';

/** Returns whether a key was pressed in a field. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest(TYPED_IN) !== null;

/** Returns whether a dialog or menu is open, which takes precedence over the keys of the page. */
export const isOverlayOpen = (): boolean => document.querySelector('.MuiDialog-root, .MuiMenu-root') !== null;
