package report

import (
	"html"
	"html/template"
	"regexp"
	"strings"
	"unicode/utf8"
)

// scripted matches a word, number or closing bracket with its subscripts and superscripts: W_i, E_{eff}, 2^(L+1),
// h_μ^2. The characters that HTML escapes are made of cannot begin or end it.
var (
	scripted = regexp.MustCompile(`(?:[\p{L}\p{N}]+|\))` +
		`(?:_(?:\{[^{}]*\}|[\p{L}\p{N}]+)|\^(?:\{[^{}]*\}|\([^()]*\)|[−-]?[\p{L}\p{N}]+))+`)
	script = regexp.MustCompile(`[_^](?:\{[^{}]*\}|\([^()]*\)|[−-]?[\p{L}\p{N}]+)`)
)

// longestSymbol is the largest number of letters of a symbol with an index: Δe_MH, but not log_z.
const longestSymbol = 2

// scripts escapes a text and sets its subscripts and superscripts. Names of files, and words with longer stems
// or several underscores, stay as they are.
func scripts(text string) template.HTML {
	text = html.EscapeString(text)
	var b strings.Builder
	at := 0
	for _, m := range scripted.FindAllStringIndex(text, -1) {
		b.WriteString(text[at:m[0]])
		at = m[1]
		word := text[m[0]:m[1]]
		if isName(text, m[0], m[1]) {
			b.WriteString(word)
			continue
		}
		b.WriteString(set(word))
	}
	b.WriteString(text[at:])
	return template.HTML(b.String()) // escaped above; only sub and sup were put in
}

// isName tells whether the word is part of a path or an identifier.
func isName(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	word := text[from:to]
	stem := word[:strings.IndexAny(word, "_^")]
	return strings.ContainsRune(`/\_.`, before) || strings.ContainsRune(`/\_`, after) || strings.Count(word, "_") > 1 ||
		strings.Contains(word, "_") && utf8.RuneCountInString(stem) > longestSymbol
}

// set writes the subscripts and superscripts of a word as HTML elements.
func set(word string) string {
	return script.ReplaceAllStringFunc(word, func(s string) string {
		tag := map[byte]string{'_': "sub", '^': "sup"}[s[0]]
		inner := s[1:]
		if inner[0] == '{' || inner[0] == '(' {
			inner = inner[1 : len(inner)-1]
		}
		return "<" + tag + ">" + strings.ReplaceAll(inner, "-", "−") + "</" + tag + ">"
	})
}
