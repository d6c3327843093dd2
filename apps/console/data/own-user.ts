import { useQuery } from '@tanstack/react-query';
import { loadUser } from './account';
import { useSession } from './session';

/** Returns the user known from the session immediately, and reloads it from the server. */
export function useOwnUser() {
  const known = useSession()?.user ?? undefined;
  const requested = useQuery({ queryKey: ['own-user'], queryFn: loadUser });
  // The session has the newest version, because every call that changes the user stores its response there.
  return { data: known ?? requested.data, isError: requested.isError, refetch: requested.refetch };
}
