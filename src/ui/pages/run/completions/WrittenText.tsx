/** A text with its spaces and line breaks preserved, in an element of the class "verbatim". */
export const WrittenText = ({ text }: { readonly text: string }) =>
  text === "" ? <span className="dim">(empty)</span> : <code>{text}</code>;
