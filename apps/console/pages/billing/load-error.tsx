import type { UseQueryResult } from '@tanstack/react-query';
import { useText } from '../../texts/console-i18n';
import { clockTime } from '../../ui/dates';
import { ErrorAlert } from '../../ui/error-alert';
import { TwoFactorRequiredError } from '../../ui/two-factor-required';

type Part = Pick<UseQueryResult, 'isError' | 'error' | 'data' | 'dataUpdatedAt' | 'refetch'>;

/** Shows what could not be loaded, the age of the data shown instead, and a retry button. */
export function LoadError({ parts }: { parts: readonly Part[] }) {
  const t = useText();
  const failed = parts.filter(({ isError }) => isError);
  if (failed.length === 0) return null;
  const oldest = Math.min(...failed.map(({ data, dataUpdatedAt }) => (data === undefined ? 0 : dataUpdatedAt)));
  return (
    <ErrorAlert
      text={<TwoFactorRequiredError error={failed[0]?.error} failed={t('billing.failed')} />}
      detail={oldest > 0 ? t('billing.stale', { time: clockTime(new Date(oldest).toISOString()) }) : ''}
      onRetry={() => failed.forEach(({ refetch }) => void refetch())}
    />
  );
}
