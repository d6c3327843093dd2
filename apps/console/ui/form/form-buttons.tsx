import { useText } from '../../texts/console-i18n';
import { Button } from '../button';

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
      <Button type="submit" kind="primary" busy={busy}>
        {busy ? busyLabel : label}
      </Button>
      <Button onClick={onCancel}>{t('layout.cancel')}</Button>
    </div>
  );
}
