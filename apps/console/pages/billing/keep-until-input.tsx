import { addDays, dayOf, RUNWAY_DAYS_MAX } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import { FieldFrame } from '../../ui/form/field-frame';
import { useFormInput } from '../../ui/form/use-form-input';
import type { Funds } from './funds';

/** Optional date until which everything should run. */
export function KeepUntilInput({
  today,
  problem,
}: {
  /** Current time on the server. */ today: string;
  problem: string | null;
}) {
  const t = useText();
  const { name, value, inputRef, onChange, onBlur } = useFormInput<string, Funds>({ source: 'until' });
  const now = dayOf(Date.parse(today));
  return (
    <div className="keep-until">
      <FieldFrame label={t('billing.add.keep_until')} hint={<span role="status">{problem}</span>}>
        {(framed) => (
          <input
            {...framed}
            ref={inputRef}
            name={name}
            type="date"
            min={addDays(now, 1)}
            max={addDays(now, RUNWAY_DAYS_MAX - 1)}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      </FieldFrame>
    </div>
  );
}
