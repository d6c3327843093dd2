import { CircleAlert, Info } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useText } from '../../texts/console-i18n';
import { useWizard } from './use-wizard';
import type { PlaceField } from '../../parts/order/price-question';
import { messageText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { errorText } from '../../data/problem-message';

/**
 * Heading and introduction of a step. The heading takes the focus on a step change so that screen readers read it out,
 * unless `focus` is false because another element of the step takes it.
 */
export function StepHeading({
  title,
  focus = true,
  children,
}: {
  title: string;
  focus?: boolean;
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { arrived } = useWizard();
  const takesFocus = useRef(arrived && focus);
  useEffect(() => {
    if (takesFocus.current) heading.current?.focus();
  }, []);
  return (
    <>
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <p className="soft intro">{children}</p>
    </>
  );
}

const FIELD_STEPS = { cloud_provider: 'cloud', region: 'region', instance_type: 'instance' } as const;

/** Lists the fields that another choice would clear, or that the last choice cleared. */
export function ClearsNote({ fields }: { fields: readonly PlaceField[] }) {
  const t = useText();
  const {
    cleared,
    wizard: { draft },
  } = useWizard();
  const names = (list: readonly PlaceField[]): string =>
    list.map((field) => t(`wizard.steps.${FIELD_STEPS[field]}`)).join(', ');
  const atStake = fields.filter((field) => draft[field] !== null);
  return (
    <div role="status" className="clears">
      {cleared.length > 0 ? (
        <p className="note brass">
          <Info size={16} aria-hidden="true" />
          <span>{t('wizard.cleared', { names: names(cleared) })}</span>
        </p>
      ) : atStake.length > 0 ? (
        <p className="small muted">{t('wizard.clears', { names: names(atStake) })}</p>
      ) : null}
    </div>
  );
}

interface Requested<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

/** Loading and error states of a list. */
export function Loaded<T>({
  query,
  failed,
  rows = 3,
  children,
}: {
  query: Requested<T>;
  failed: string;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorAlert failed={failed} error={query.error} again={() => query.refetch()} />;
  return (
    <div className="opts late" aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="opt skel tall" />
      ))}
    </div>
  );
}

export function ErrorAlert({ failed, error, again }: { failed: string; error: Error; again: () => unknown }) {
  const t = useText();
  // The specification hides "not found" in this flow. It means the user went back and the parent choice is gone.
  const detail = /not found/i.test(error.message) ? '' : errorText(error);
  return (
    <div className="note port" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div>
        <b>{failed}</b>
        <p>{detail}</p>
        <Button size="small" onClick={() => void again()}>
          {t('layout.try_again')}
        </Button>
      </div>
    </div>
  );
}

/** Server message about a choice. */
export function Problem({ path, id }: { path: string; id?: string }) {
  const { problems } = useWizard();
  const message = problems[path];
  if (message === undefined) return null;
  return (
    <p className="note port problem" role="alert" id={id}>
      <CircleAlert size={16} aria-hidden="true" />
      <span>{messageText(message)}</span>
    </p>
  );
}
