import { useEffect, useState } from 'react';
import { usePublicText } from '../texts/locale';

const SHOWN_AFTER_MS = 150;

/** Something is on its way; nothing is shown for what arrives at once, so that nothing flashes. */
export function Waiting() {
  const t = usePublicText();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="waiting" role="status">
      {shown ? <span>{t('waiting')}</span> : null}
    </div>
  );
}
