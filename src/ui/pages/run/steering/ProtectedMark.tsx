import { Shield } from "lucide-react";
import "./ProtectedMark.css";

/** Marks a member that is protected from selection. */
export const ProtectedMark = () => (
  <>
    <Shield className="protected-mark" size={12} />
    <span className="visually-hidden">protected</span>
  </>
);
