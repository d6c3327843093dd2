import Button from '@mui/material/Button';
import { useText } from '../../texts/console-i18n';

/** Submit and cancel buttons of a form in a card. */
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
