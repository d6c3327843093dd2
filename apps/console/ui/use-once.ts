import { useState } from 'react';

/** Returns whether the condition has been true at least once. */
export function useOnce(condition: boolean): boolean {
  const [was, setWas] = useState(condition);
  if (condition && !was) setWas(true);
  return condition || was;
}
