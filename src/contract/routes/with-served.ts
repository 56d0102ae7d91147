/** The model that was asked for and, if it was another, the one that answered. */
export function withServed(asked: string, served: string | undefined): string {
  return served === undefined ? asked : `${asked} → ${served}`;
}
