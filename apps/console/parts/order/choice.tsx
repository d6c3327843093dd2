import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import './choice.css';

/**
 * Radio group styled by its children. Enter selects, like Space, and does not advance the wizard. Arrow keys call
 * `onMove` if there is one, where a choice leaves the list.
 */
export function Choices({
  label,
  value,
  onChoose,
  onMove,
  className,
  children,
}: {
  label: string;
  value: string | null;
  onChoose: (value: string) => void;
  onMove?: (value: string) => void;
  className?: string;
  children: ReactNode;
}) {
  const isMoving = useRef(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target, key } = event;
    isMoving.current = onMove !== undefined && key.startsWith('Arrow');
    // Space selects nothing anew where an arrow key has moved to.
    const isChosen = key === 'Enter' || (key === ' ' && onMove !== undefined);
    if (!isChosen || !(target instanceof HTMLInputElement) || target.type !== 'radio') return;
    event.preventDefault();
    onChoose(target.value);
  };
  return (
    <RadioGroup
      className={className ?? 'opts'}
      aria-label={label}
      value={value ?? ''}
      onChange={(_, chosen) => (isMoving.current ? onMove?.(chosen) : onChoose(chosen))}
      onKeyDown={onKeyDown}
      onKeyUp={() => {
        isMoving.current = false;
      }}
    >
      {children}
    </RadioGroup>
  );
}

/** Radio mark. The card or row around it shows the selected state. */
export function Mark({ value, disabled = false }: { value: string; disabled?: boolean }) {
  const round = <span className="radio" />;
  return <Radio value={value} disabled={disabled} icon={round} checkedIcon={round} />;
}

/** Choice as a card. The whole card is the label. */
export function Card({
  value,
  chosen,
  picture,
  price,
  className = '',
  disabled = false,
  children,
}: {
  value: string;
  chosen: boolean;
  disabled?: boolean;
  picture?: ReactNode;
  price?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const columns = `auto ${picture === undefined ? '' : 'auto'} minmax(0, 1fr) auto`;
  return (
    <label
      className={`opt ${className} ${disabled ? 'no' : chosen ? 'on' : ''}`}
      style={{ gridTemplateColumns: columns }}
    >
      <Mark value={value} disabled={disabled} />
      {picture}
      <span>{children}</span>
      {price === undefined ? null : <span className="price">{price}</span>}
    </label>
  );
}

/** Shows that nothing available can run the package, which is when `daily` is null. */
export function NoneFitting({ daily }: { daily: number | null | undefined }) {
  const t = useText();
  if (daily !== null) return null;
  return (
    <>
      <br />
      <span className="small muted">{t('wizard.none_fitting')}</span>
    </>
  );
}

/** Text such as `from $0.26 a day`, or nothing if the price is unknown. */
export function FromPrice({ daily }: { daily: number | null | undefined }) {
  const t = useText();
  if (daily === null || daily === undefined) return null;
  return (
    <>
      {t('wizard.from', { price: money(daily, { rounding: 'price' }) })}
      <small>{t('wizard.a_day')}</small>
    </>
  );
}
