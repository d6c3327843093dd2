import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { isOverlayOpen, isTyping } from '../../../ui/keyboard';
import { type DeploymentTab, pageOf } from '../tabs';

/** Time within which the second key follows the first. */
const SECOND_KEY_MS = 1_500;

/** Opens a tab when `g` and its letter are pressed, except while typing or in a dialog. */
export function useJumps(id: number, tabs: readonly DeploymentTab[]): void {
  const navigate = useNavigate();
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      const { key, timeStamp, ctrlKey, metaKey, altKey } = event;
      if (event.defaultPrevented || isTyping(event) || ctrlKey || metaKey || altKey || isOverlayOpen()) return;
      const tab = timeStamp - pressedAt < SECOND_KEY_MS ? tabs.find(({ jump }) => jump === key) : undefined;
      pressedAt = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
      if (tab !== undefined) void navigate(pageOf(id, tab.path));
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [id, navigate, tabs]);
}
