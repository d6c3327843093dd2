import Button from '@mui/material/Button';
import { useText } from '../texts/console-i18n';

/** Below a form that stands in its card: what it does, and the way out. */
export function FormButtons({
  label,
  busyLabel,
  busy,
  onCancel,
}: {
  label: string;
  busyLabel: string;
  busy: boolean;
  onCancel: () => void;
}) {
  const t = useText();
  return (
    <div className="row wrap">
      <Button type="submit" variant="contained" color="primary" disabled={busy}>
        {busy ? busyLabel : label}
      </Button>
      <Button onClick={onCancel}>{t('layout.cancel')}</Button>
    </div>
  );
}
