import OutlinedInput from '@mui/material/OutlinedInput';
import type { Message } from '@moorage/domain';
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useId } from 'react';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { Button } from '../../ui/button';

interface ServerAddressProps {
  readonly address: string;
  readonly onType: (address: string) => void;
  readonly hint: string;
  /** The check cannot be started now. */
  readonly isOff: boolean;
  readonly isChecking: boolean;
  /** Result of a passed check. `message` is null if the check returned none. */
  readonly passed: { readonly message: Message | null } | null;
  readonly wrong: Message | null;
  /** Starts the check. Without it the button submits the surrounding form. */
  readonly onCheck?: () => void;
}

/** The address of a customer's own server, the button that checks it, and the outcome. */
export function ServerAddress({
  address,
  onType,
  hint,
  isOff,
  isChecking,
  passed,
  wrong,
  onCheck,
}: ServerAddressProps) {
  const t = useText();
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{t('wizard.vps.address')}</label>
      <div className="row address">
        <OutlinedInput
          id={id}
          className="mono grow"
          size="small"
          value={address}
          placeholder="203.0.113.7"
          error={wrong !== null}
          inputProps={{
            'aria-describedby': `${id}-hint ${id}-state`,
            'aria-invalid': wrong !== null,
            autoComplete: 'off',
            autoCapitalize: 'none',
            spellCheck: false,
            maxLength: 100,
          }}
          onChange={({ target }) => onType(target.value)}
        />
        <Button
          type={onCheck === undefined ? 'submit' : 'button'}
          aria-disabled={isOff}
          aria-describedby={`${id}-hint`}
          onClick={onCheck}
        >
          {isChecking ? <LoaderCircle size={16} className="spin" aria-hidden="true" /> : null}
          {t(isChecking ? 'wizard.vps.validating' : 'wizard.vps.validate')}
        </Button>
      </div>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <div role="status" id={`${id}-state`}>
        {isChecking ? <p className="soft looking">{t('wizard.vps.looking')}</p> : null}
        {passed === null ? null : (
          <p className="note star" ref={intoView}>
            <CircleCheck size={16} aria-hidden="true" />
            <b>{passed.message === null ? t('wizard.vps.passed') : messageText(passed.message)}</b>
          </p>
        )}
        {wrong === null ? null : (
          <p className="note port" ref={intoView}>
            <CircleAlert size={16} aria-hidden="true" />
            <b>{messageText(wrong)}</b>
          </p>
        )}
      </div>
    </>
  );
}

/** Scrolls the outcome into view, which is often below the fold. */
const intoView = (outcome: HTMLElement | null): void => {
  outcome?.scrollIntoView?.({ block: 'nearest' });
};
