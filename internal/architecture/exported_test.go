package architecture

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestExported checks that users of a public package can name every type in its signatures.
func TestExported(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() || internal(s.pkg()) || s.file.Name.Name == "main" {
			continue
		}
		for _, leak := range leaks(s) {
			name, what, _ := strings.Cut(leak, " ")
			t.Errorf("%s: the exported %s mentions %s, an internal type", s.name, name, what)
		}
	}
}

func internal(p string) bool { return slices.Contains(strings.Split(p, "/"), "internal") }

// leaks lists "package.Name internal/package.Type" for the exported declarations of a file.
func leaks(s source) []string {
	var found []string
	imports := s.imports()
	look := func(name string, node ast.Node) {
		ast.Inspect(node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StructType:
				n.Fields.List = exportedOnly(n.Fields.List)
			case *ast.InterfaceType:
				n.Methods.List = exportedOnly(n.Methods.List)
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && internal(imports[x.Name]) {
					found = append(found,
						fmt.Sprintf("%s.%s %s.%s", path.Base(s.pkg()), name, imports[x.Name], n.Sel.Name))
				}
			}
			return true
		})
	}
	for _, declaration := range s.file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if name, exported := exportedFunc(d); exported {
				look(name, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() {
						look(spec.Name.Name, spec.Type)
					}
				case *ast.ValueSpec:
					if spec.Type != nil && slices.ContainsFunc(spec.Names, (*ast.Ident).IsExported) {
						look(spec.Names[0].Name, spec.Type)
					}
				}
			}
		}
	}
	return found
}

// exportedFunc names a function, or a method with its type, and says whether users see it.
func exportedFunc(d *ast.FuncDecl) (string, bool) {
	if d.Recv == nil {
		return d.Name.Name, d.Name.IsExported()
	}
	receiver := d.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	switch generic := receiver.(type) {
	case *ast.IndexExpr:
		receiver = generic.X
	case *ast.IndexListExpr:
		receiver = generic.X
	}
	of := receiver.(*ast.Ident)
	return of.Name + "." + d.Name.Name, of.IsExported() && d.Name.IsExported()
}

// exportedOnly keeps the fields or methods that users see; embedded ones count.
func exportedOnly(fields []*ast.Field) []*ast.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f *ast.Field) bool {
		return len(f.Names) > 0 && !slices.ContainsFunc(f.Names, (*ast.Ident).IsExported)
	})
}
