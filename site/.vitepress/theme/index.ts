/** VitePress's own theme in the system's font: a font of its own would be half of the first page. */
import theme from "vitepress/theme-without-fonts";
import "./site.css";

export default theme;
