import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { type DeploymentTab, pageOf } from '../tabs';

const TYPED_IN = 'input, textarea, select, [contenteditable="true"]';
const OPEN = '.MuiDialog-root, .MuiMenu-root';
/** Time within which the second key follows the first. */
const SECOND_KEY_MS = 1_500;

/** Opens a tab when `g` and its letter are pressed, except while typing or in a dialog. */
export function useJumps(id: number, tabs: readonly DeploymentTab[]): void {
  const navigate = useNavigate();
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const onKey = ({ key, target, timeStamp, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      const isTyping = target instanceof Element && target.closest(TYPED_IN) !== null;
      if (isTyping || ctrlKey || metaKey || altKey || document.querySelector(OPEN) !== null) return;
      const tab = timeStamp - pressedAt < SECOND_KEY_MS ? tabs.find(({ jump }) => jump === key) : undefined;
      pressedAt = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
      if (tab !== undefined) void navigate(pageOf(id, tab.path));
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [id, navigate, tabs]);
}
