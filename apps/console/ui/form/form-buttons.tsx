import { useText } from '../../texts/console-i18n';
import { SubmitButton, SubmitLook } from './submit-button';
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
  /** State of a form that is not a `Form`. */
  busy?: boolean;
  onCancel: () => void;
}) {
  const t = useText();
  return (
    <div className="row wrap">
      {busy === undefined ? (
        <SubmitButton label={label} busyLabel={busyLabel} />
      ) : (
        <SubmitLook label={label} busyLabel={busyLabel} busy={busy} />
      )}
      <Button onClick={onCancel}>{t('layout.cancel')}</Button>
    </div>
  );
}
