import { useCallback, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isId } from '../../data/addresses';

/** State of the drawer in the browser history, so that Back closes it and Forward opens it again. */
interface OpenState {
  readonly deployment?: number;
  /** The previous history entry is the list without the drawer. */
  readonly pushed?: boolean;
}

interface OpenDeployment {
  /** Null if the drawer is closed. */
  readonly id: number | null;
  readonly open: (id: number) => void;
  readonly close: () => void;
}

/**
 * Returns the deployment with open details. `?deployment={id}` opens them and is then removed from the address. A hash
 * such as `#sign-in` is kept for them.
 */
export function useOpenDeployment(): OpenDeployment {
  const { pathname, search, hash, state } = useLocation() as {
    pathname: string;
    search: string;
    hash: string;
    state: OpenState | null;
  };
  const navigate = useNavigate();
  // If the address requests it, the drawer is open from the first paint, so that the list does not jump.
  const id = state?.deployment ?? requestedFor(search);
  const pushed = state?.pushed === true;

  useEffect(() => {
    if (!new URLSearchParams(search).has('deployment')) return;
    const requested = requestedFor(search);
    const to = { pathname, search: withoutDeployment(search) };
    void navigate(to, { replace: true, state: null });
    if (requested !== null) void navigate({ ...to, hash }, { state: { deployment: requested, pushed: true } });
  }, [navigate, pathname, search, hash]);

  // Never return to an address that requests a deployment, because that would open it again.
  const open = useCallback(
    (next: number) => {
      const isOpen = id !== null;
      void navigate(
        { pathname, search: withoutDeployment(search) },
        { replace: isOpen, state: { deployment: next, pushed: isOpen ? pushed : true } satisfies OpenState },
      );
    },
    [id, navigate, pathname, pushed, search],
  );
  const close = useCallback(() => {
    if (pushed) void navigate(-1);
    else void navigate({ pathname, search: withoutDeployment(search) }, { replace: true, state: null });
  }, [navigate, pathname, pushed, search]);
  return { id, open, close };
}

function requestedFor(search: string): number | null {
  const requested = new URLSearchParams(search).get('deployment') ?? '';
  return isId(requested) ? Number(requested) : null;
}

function withoutDeployment(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('deployment');
  return query.size === 0 ? '' : `?${query.toString()}`;
}
