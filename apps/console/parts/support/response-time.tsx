import type { SupportDesk } from '@moorage/contracts';
import { usePublicText } from '../../texts/locale';

/** States the response time of support, or null if none is guaranteed. */
export function useResponseTime(): (
  desk: Pick<SupportDesk, 'answered_within_hours' | 'counts_working_days_only'>,
) => string | null {
  const t = usePublicText();
  return ({ answered_within_hours: hours, counts_working_days_only: isOfWorkingDays }) =>
    hours === null ? null : t(isOfWorkingDays ? 'support.within_working_days' : 'support.within', { hours });
}

export function Phone({ number }: { number: string }) {
  return (
    <a className="nowrap" href={`tel:${number.replace(/[^+\d]/g, '')}`}>
      {number}
    </a>
  );
}

export function SuccessManager({ name, email }: NonNullable<SupportDesk['success_manager']>) {
  return (
    <>
      {name}
      {email === null ? null : (
        <>
          , <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
    </>
  );
}
