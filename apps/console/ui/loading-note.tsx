import { useEffect, useState } from 'react';
import { usePublicText } from '../texts/locale';

const SHOWN_AFTER_MS = 150;

/** Loading indicator. Appears only after a delay, so that fast responses cause no flicker. */
export function LoadingNote() {
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
