import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useText } from '../texts/console-i18n';
import { clockTime } from './dates';
import { TwoFactorRequiredError } from './two-factor-required';
import { Button } from './button';
import './error-alert.css';

type Part = Pick<UseQueryResult, 'isError' | 'error' | 'data' | 'dataUpdatedAt' | 'refetch'>;

/** Shows what could not be loaded, the age of the data shown instead, and a retry button. */
export function LoadError({ parts }: { parts: readonly Part[] }) {
  const t = useText();
  const failed = parts.filter(({ isError }) => isError);
  if (failed.length === 0) return null;
  const oldest = Math.min(...failed.map(({ data, dataUpdatedAt }) => (data === undefined ? 0 : dataUpdatedAt)));
  return (
    <div className="note port trouble" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>
            <TwoFactorRequiredError error={failed[0]?.error} failed={t('billing.failed')} />
          </b>
        </p>
        {oldest > 0 ? <p>{t('billing.stale', { time: clockTime(new Date(oldest).toISOString()) })}</p> : null}
      </div>
      <Button onClick={() => failed.forEach(({ refetch }) => void refetch())}>{t('layout.try_again')}</Button>
    </div>
  );
}
